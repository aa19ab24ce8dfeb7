package dev.streamconnect.camel;

import dev.streamconnect.engine.CertificateStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Clock;
import java.util.List;

/**
 * Seconds of life that client certificates have left, as a gauge for each connection and side. They
 * go with {@link #close}. Needs micrometer-core. Thread-safe.
 */
final class CertificateMeters implements AutoCloseable {

    private final MultiGauge gauge;
    private final String node;
    private final Clock clock;
    private List<CertificateStatus> shown = List.of();
    private boolean closed;

    CertificateMeters(MeterRegistry registry, String node, Clock clock) {
        this.gauge =
                MultiGauge.builder("streamconnect.certificate.remaining")
                        .baseUnit("seconds")
                        .description("Time until the client certificate ends")
                        .register(registry);
        this.node = node;
        this.clock = clock;
    }

    /** Shows these instead of the ones before. */
    synchronized void show(List<CertificateStatus> certificates) {
        if (closed || certificates.equals(shown)) {
            return;
        }
        shown = certificates;
        gauge.register(certificates.stream().map(this::row).toList(), true);
    }

    /** Takes the gauges out of the registry, which may outlive them; no more are put in. */
    @Override
    public synchronized void close() {
        closed = true;
        gauge.register(List.of(), true);
    }

    private MultiGauge.Row<?> row(CertificateStatus certificate) {
        Tags tags =
                Tags.of(
                        "connection",
                        certificate.connection(),
                        "side",
                        certificate.side(),
                        "node",
                        node);
        return MultiGauge.Row.of(tags, () -> certificate.secondsLeft(clock.instant()));
    }
}
