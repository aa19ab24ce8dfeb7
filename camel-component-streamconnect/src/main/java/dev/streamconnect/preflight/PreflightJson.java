package dev.streamconnect.preflight;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/** A report as JSON for machines; it holds no secret. */
public final class PreflightJson {

    private PreflightJson() {}

    /** The report as one object. */
    public static ObjectNode of(PreflightReport report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("green", report.green());
        for (Outcome outcome : Outcome.values()) {
            json.put(outcome.name().toLowerCase(Locale.ROOT), report.count(outcome));
        }
        json.put("tookMillis", report.took().toMillis());
        ArrayNode findings = json.putArray("findings");
        for (Finding finding : report.findings()) {
            findings.addObject()
                    .put("connection", finding.connection())
                    .put("side", finding.role().label())
                    .put("subject", finding.subject())
                    .put("stage", finding.stage().id())
                    .put("outcome", finding.outcome().name())
                    .put("found", finding.found())
                    .put("mend", finding.mend());
        }
        return json;
    }
}
