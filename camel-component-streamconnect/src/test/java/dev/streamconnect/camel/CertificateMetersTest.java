package dev.streamconnect.camel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.CertificateLife;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.MovedClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The gauge of certificates")
class CertificateMetersTest {

    private static final Instant START = MovedClock.START;

    private final MovedClock clock = new MovedClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CertificateMeters meters = new CertificateMeters(registry, "n1", clock);

    private static CertificateStatus certificate(String connection, String side, int seconds) {
        return new CertificateStatus(
                connection,
                side,
                new CertificateLife("CN=c", "1F", START, START.plusSeconds(seconds)),
                "");
    }

    private double left(String connection, String side) {
        return registry.get("streamconnect.certificate.remaining")
                .tags("connection", connection, "side", side, "node", "n1")
                .gauge()
                .value();
    }

    @Test
    @DisplayName("has the seconds left of each connection and side, and follows a renewal")
    void secondsLeft() {
        meters.show(
                List.of(
                        certificate("hermes", "side A", 100),
                        certificate("hermes", "side B", 100),
                        certificate("plant", "", 500)));
        clock.move(Duration.ofSeconds(30));
        assertThat(left("hermes", "side A")).isEqualTo(70);
        assertThat(left("plant", "")).isEqualTo(470);
        clock.move(Duration.ofSeconds(80));
        assertThat(left("hermes", "side B")).as("over").isEqualTo(-10);

        meters.show(List.of(certificate("hermes", "side A", 1_000)));
        assertThat(left("hermes", "side A")).isEqualTo(890);
        assertThat(registry.find("streamconnect.certificate.remaining").gauges()).hasSize(1);
    }

    @Test
    @DisplayName("none is left in a registry that outlives them, and none comes back")
    void closed() {
        meters.show(List.of(certificate("plant", "", 500)));
        assertThat(registry.getMeters()).hasSize(1);
        meters.close();
        assertThat(registry.getMeters()).isEmpty();
        meters.show(List.of(certificate("plant", "", 900)));
        assertThat(registry.getMeters()).isEmpty();
    }
}
