package dev.streamconnect.camel.console;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.MessageReplications;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.LinkStatus;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.health.HealthCheckResultBuilder;
import org.apache.camel.impl.health.AbstractHealthCheck;

/**
 * Readiness by the states of the topic replications and {@code hermes:} consumers of this node:
 * down while one is FAILED or STALLED, so also while its broker is away. One that is DEGRADED, or
 * waits for what others must do, leaves it up, with a message; so do a certificate that ends and
 * replication records that can't be used while an earlier version of them is in effect. It reads
 * snapshots and never blocks on a broker.
 */
public final class LinksHealthCheck extends AbstractHealthCheck {

    /** Id of the check. */
    public static final String ID = "streamconnect";

    private final ContextEngine engine;

    private LinksHealthCheck(CamelContext context) {
        super("camel", ID);
        this.engine = ContextEngine.of(context);
        setCamelContext(context);
    }

    /** Adds the check to a registry, unless it is there. */
    static void register(CamelContext context, HealthCheckRegistry registry) {
        if (registry.getCheck(ID).isEmpty()) {
            registry.register(new LinksHealthCheck(context));
        }
    }

    @Override
    public boolean isLiveness() {
        // A restart mends no broker.
        return false;
    }

    @Override
    protected void doCall(HealthCheckResultBuilder builder, Map<String, Object> options) {
        if (engine.isStopped()) {
            builder.message("the Camel context is stopped").down();
            return;
        }
        List<String> bad = new ArrayList<>();
        List<String> notWhole = new ArrayList<>();
        for (LinkStatus status : engine.engine().status()) {
            builder.detail(status.id(), status.state().name());
            if (status.state().isDown()) {
                bad.add(describe(builder, status));
            } else if (status.state().isProblem()) {
                notWhole.add(describe(builder, status));
            }
        }
        certificates(builder, notWhole);
        RecordsStatus records = records();
        if (records != null && records.store() != null) {
            builder.detail("records.store", records.store());
        }
        if (records != null && records.warning() != null) {
            builder.detail("records.reason", records.warning());
            notWhole.add(
                    "newer replication records are not used since "
                            + records.warningSince()
                            + ": "
                            + records.warning());
        }
        if (!bad.isEmpty()) {
            builder.message(String.join("; ", bad)).down();
        } else if (!notWhole.isEmpty()) {
            builder.message(String.join("; ", notWhole)).up();
        } else {
            builder.up();
        }
    }

    private void certificates(HealthCheckResultBuilder builder, List<String> notWhole) {
        Set<String> warnings = new LinkedHashSet<>();
        for (CertificateStatus certificate : engine.engine().certificates()) {
            builder.detail(
                    "certificate." + certificate.name().replace(' ', '.'),
                    "until " + certificate.life().notAfter());
            if (!certificate.warning().isEmpty()) {
                warnings.add(certificate.connection() + ": " + certificate.warning());
            }
        }
        if (!warnings.isEmpty()) {
            builder.detail("certificates.reason", String.join("; ", warnings));
            notWhole.addAll(warnings);
        }
    }

    private RecordsStatus records() {
        return getCamelContext().hasComponent("replication") instanceof MessageReplications known
                ? known.recordsStatus()
                : null;
    }

    /** The reason also as a detail: Camel's HTTP server escapes a message twice. */
    private static String describe(HealthCheckResultBuilder builder, LinkStatus status) {
        builder.detail(status.id() + ".reason", status.reason());
        return status.id()
                + " is "
                + status.state()
                + " since "
                + status.since()
                + ": "
                + status.reason();
    }
}
