package dev.streamconnect.camel.console;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.MessageReplications;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelContext;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.support.console.AbstractDevConsole;
import org.apache.camel.util.json.JsonArray;
import org.apache.camel.util.json.JsonObject;

/** The states of the topic replications and {@code hermes:} consumers of this node. */
final class LinksDevConsole extends AbstractDevConsole {

    static final String ID = "streamconnect";

    private LinksDevConsole() {
        super("camel", ID, "Stream Connect", "States of topic replications on this node");
    }

    static void register(CamelContext context, DevConsoleRegistry registry) {
        if (registry.getConsole(ID).isEmpty()) {
            LinksDevConsole console = new LinksDevConsole();
            console.setCamelContext(context);
            registry.register(console);
        }
    }

    private void checkCaller() {
        ContextEngine.of(getCamelContext()).checkThread("dev console " + ID, false);
    }

    private List<LinkStatus> states() {
        ContextEngine engine = ContextEngine.of(getCamelContext());
        return engine.isStopped() ? List.of() : engine.engine().status();
    }

    private List<MessageReplicationStatus> messageReplications() {
        return getCamelContext().hasComponent("replication") instanceof MessageReplications known
                ? known.messageReplications()
                : List.of();
    }

    private List<CertificateStatus> certificates() {
        ContextEngine engine = ContextEngine.of(getCamelContext());
        return engine.isStopped() ? List.of() : engine.engine().certificates();
    }

    private RecordsStatus records() {
        return getCamelContext().hasComponent("replication") instanceof MessageReplications known
                ? known.recordsStatus()
                : null;
    }

    @Override
    protected String doCallText(Map<String, Object> options) {
        try {
            checkCaller();
        } catch (SecurityException e) {
            return e.getMessage() + System.lineSeparator();
        }
        StringBuilder text = new StringBuilder();
        for (LinkStatus status : states()) {
            text.append(
                    String.format(
                            "%s: %s since %s, messages %d, lag %s%s%s%n",
                            status.id(),
                            status.state(),
                            status.since(),
                            status.messages(),
                            status.lag() < 0 ? "unknown" : String.valueOf(status.lag()),
                            status.reason().isEmpty() ? "" : ": " + status.reason(),
                            status.notice().isEmpty() ? "" : "; notice: " + status.notice()));
            for (MissingRight missing : status.missingRights()) {
                text.append(
                        String.format(
                                "    optional right: %s at %s: %s; to have it: %s%n",
                                missing.text(),
                                missing.side(),
                                missing.right().lost(),
                                missing.mend()));
            }
            for (PositionEvent event : status.events()) {
                text.append(
                        String.format("    %s %s %s%n", event.at(), event.kind(), event.text()));
            }
        }
        for (MessageReplicationStatus status : messageReplications()) {
            text.append(
                    String.format(
                            "message replication %s: %s, %d of %d active, %d running, %d failed%s%n",
                            status.name(),
                            status.state(),
                            status.active(),
                            status.topicReplications(),
                            status.running(),
                            status.failed(),
                            status.reason().isEmpty() ? "" : ": " + status.reason()));
        }
        for (CertificateStatus certificate : certificates()) {
            text.append(
                    String.format(
                            "certificate of %s: %s%s%n",
                            certificate.name(),
                            certificate.life().text(Instant.now()),
                            certificate.warning().isEmpty() ? "" : "; " + certificate.warning()));
        }
        RecordsStatus records = records();
        if (records != null) {
            text.append(
                    String.format(
                            "records %s: version %s since %s%s%s%n",
                            records.source(),
                            records.version(),
                            records.loaded(),
                            records.store() == null ? "" : ", " + records.store(),
                            records.warning() == null
                                    ? ""
                                    : ", newer ones not used since "
                                            + records.warningSince()
                                            + ": "
                                            + records.warning()));
        }
        return text.toString();
    }

    private static JsonObject json(MissingRight missing) {
        JsonObject one = new JsonObject();
        one.put("side", missing.side());
        one.put("right", missing.right().label());
        one.put("resource", missing.resource());
        one.put("principal", missing.principal());
        one.put("lost", missing.right().lost());
        one.put("mend", missing.mend());
        return one;
    }

    private static JsonObject json(PositionEvent event) {
        JsonObject one = new JsonObject();
        one.put("kind", event.kind().name());
        one.put("topic", event.topic());
        one.put("side", event.side());
        one.put("partition", event.partition());
        one.put("from", event.from());
        one.put("to", event.to());
        one.put("count", event.count());
        one.put("at", event.at().toString());
        one.put("stopped", event.stopped());
        one.put("text", event.text());
        return one;
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    @Override
    protected Map<String, Object> doCallJson(Map<String, Object> options) {
        try {
            checkCaller();
        } catch (SecurityException e) {
            return new JsonObject(Map.of("refused", e.getMessage()));
        }
        JsonArray links = new JsonArray();
        for (LinkStatus status : states()) {
            JsonObject link = new JsonObject();
            link.put("id", status.id());
            link.put("state", status.state().name());
            link.put("reason", status.reason());
            link.put("since", status.since().toString());
            link.put(
                    "errorSince",
                    status.errorSince() == null ? null : status.errorSince().toString());
            link.put("source", status.source());
            link.put("destination", status.destination());
            link.put("assignedPartitions", status.assignedPartitions());
            link.put("totalPartitions", status.totalPartitions());
            link.put("messages", status.messages());
            link.put("bytes", status.bytes());
            link.put("lag", status.lag() < 0 ? null : status.lag());
            link.put("reordered", status.reordered());
            link.put("repeated", status.repeated());
            link.put("drainLimitsHit", status.drainLimitsHit());
            link.put("returned", status.returned());
            link.put("notice", status.notice());
            JsonArray rights = new JsonArray();
            status.missingRights().forEach(missing -> rights.add(json(missing)));
            link.put("missingRights", rights);
            JsonArray events = new JsonArray();
            status.events().forEach(event -> events.add(json(event)));
            link.put("events", events);
            links.add(link);
        }
        JsonObject root = new JsonObject();
        root.put("links", links);
        JsonArray replications = new JsonArray();
        for (MessageReplicationStatus status : messageReplications()) {
            JsonObject one = new JsonObject();
            one.put("name", status.name());
            one.put("node", status.node());
            one.put("state", status.state().name());
            one.put("reason", status.reason());
            one.put("since", text(status.since()));
            one.put("errorSince", text(status.errorSince()));
            one.put("topicReplications", status.topicReplications());
            one.put("active", status.active());
            one.put("running", status.running());
            one.put("failed", status.failed());
            replications.add(one);
        }
        root.put("messageReplications", replications);
        JsonArray certificates = new JsonArray();
        for (CertificateStatus certificate : certificates()) {
            JsonObject one = new JsonObject();
            one.put("connection", certificate.connection());
            one.put("side", certificate.side());
            one.put("subject", certificate.life().subject());
            one.put("serial", certificate.life().serial());
            one.put("notBefore", certificate.life().notBefore().toString());
            one.put("notAfter", certificate.life().notAfter().toString());
            one.put("warning", certificate.warning());
            certificates.add(one);
        }
        root.put("certificates", certificates);
        RecordsStatus records = records();
        if (records != null) {
            JsonObject one = new JsonObject();
            one.put("source", records.source());
            one.put("version", records.version());
            one.put("changed", text(records.changed()));
            one.put("loaded", text(records.loaded()));
            one.put("store", records.store());
            one.put("warning", records.warning());
            one.put("warningSince", text(records.warningSince()));
            root.put("records", one);
        }
        return root;
    }
}
