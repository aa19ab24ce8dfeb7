package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.CertificateLife.Stage;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The life of a certificate")
class CertificateLifeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    @DisplayName("is told by its share: 30 %, 10 %, over")
    void stages() {
        CertificateLife life = new CertificateLife("CN=c", "1F", START, START.plusSeconds(1000));
        assertThat(life.stage(START)).isEqualTo(Stage.GOOD);
        assertThat(life.stage(START.plusSeconds(699))).isEqualTo(Stage.GOOD);
        assertThat(life.stage(START.plusSeconds(700))).isEqualTo(Stage.ENDS);
        assertThat(life.stage(START.plusSeconds(899))).isEqualTo(Stage.ENDS);
        assertThat(life.stage(START.plusSeconds(900))).isEqualTo(Stage.ENDS_SOON);
        assertThat(life.stage(START.plusSeconds(1000))).isEqualTo(Stage.EXPIRED);
        assertThat(life.text(START.plusSeconds(750)))
                .isEqualTo(
                        "certificate 'CN=c' (serial 1F) ends on 2026-01-01T00:16:40Z (25 % left)");
        assertThat(life.text(START.plusSeconds(2000)))
                .isEqualTo("certificate 'CN=c' (serial 1F) expired on 2026-01-01T00:16:40Z");
    }
}
