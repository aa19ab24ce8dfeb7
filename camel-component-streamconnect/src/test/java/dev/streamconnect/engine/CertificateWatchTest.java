package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.IssuedStores;
import dev.streamconnect.cluster.TlsMaterial;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.engine.CertificateTrial.Outcome;
import dev.streamconnect.record.StartFrom;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-S3")
@DisplayName("The watch over certificates")
class CertificateWatchTest {

    private static final Instant START = MovedClock.START;
    private static final Duration LIFE = Duration.ofSeconds(1000);

    @TempDir Path folder;

    private final MovedClock clock = new MovedClock();
    private final Map<TlsMaterial, Outcome> brokers = new HashMap<>();
    private final List<String> renewed = new ArrayList<>();
    private Outcome others = Outcome.TAKEN;
    private int trials;
    private IssuedStores stores;
    private WatchedTls tls;
    private CertificateWatch watch;
    private ConnectionSettings producer;
    private ConnectionSettings sideA;
    private KafkaLink link;

    @BeforeEach
    void open() throws Exception {
        stores = new IssuedStores(folder);
        stores.issue(START, LIFE);
        tls = WatchedTls.open(stores.options(), clock);
        producer = hermes(ClientRole.HERMES_PRODUCER);
        sideA = hermes(ClientRole.HERMES_A);
        link =
                HandDrivenLink.with(
                        new LinkDefinition(
                                "orders",
                                List.of(sideA),
                                "snc.acme.orders",
                                StartFrom.EARLIEST,
                                Fixtures.PLANT,
                                "orders",
                                LinkOptions.defaults(true)),
                        clock);
        watch =
                new CertificateWatch(
                        (settings, material) -> {
                            trials++;
                            Outcome outcome = brokers.getOrDefault(material, others);
                            return new CertificateTrial.Result(
                                    outcome, outcome == Outcome.REFUSED ? "bad certificate" : "");
                        },
                        clock);
    }

    private ConnectionSettings hermes(ClientRole role) {
        return new ConnectionSettings("hermes", role, "h:1", "g", tls.properties());
    }

    private CertificateWatch.Connected connected(ConnectionSettings settings) {
        return new CertificateWatch.Connected(settings, () -> renewed.add(settings.role().label()));
    }

    private void look() {
        watch.look(
                List.of(
                        connected(producer),
                        connected(sideA),
                        new CertificateWatch.Connected(Fixtures.PLANT, () -> renewed.add("plant"))),
                List.of(link));
    }

    private void issue() throws Exception {
        stores.issue(clock.instant(), LIFE.multipliedBy(2));
    }

    @Test
    @DisplayName("new files are tried at each side, and all their clients told")
    void takesUp() throws Exception {
        look();
        issue();
        look();
        assertThat(renewed).isEmpty();
        look();
        assertThat(renewed).containsExactlyInAnyOrder("producer", "side A");
        assertThat(trials).isEqualTo(2);
        assertThat(tls.current().life().notAfter()).isEqualTo(START.plus(LIFE.multipliedBy(2)));
        look();
        assertThat(trials).as("nothing new").isEqualTo(2);
    }

    @Test
    @DisplayName(
            "what a broker refuses is kept out while it takes the present one, and tried again")
    void refusedByABroker() throws Exception {
        TlsMaterial present = tls.current();
        others = Outcome.REFUSED;
        brokers.put(present, Outcome.TAKEN);
        issue();
        look();
        look();
        assertThat(tls.current()).isSameAs(present);
        assertThat(link.status().notice())
                .contains("hermes: the new files are not used")
                .contains("producer (h:1) refuses them: bad certificate");
        int before = trials;
        look();
        assertThat(trials).as("not at each look").isEqualTo(before);

        others = Outcome.TAKEN;
        clock.move(Duration.ofSeconds(5));
        look();
        assertThat(tls.current()).isNotSameAs(present);
        assertThat(link.status().notice()).isEmpty();
    }

    @Test
    @DisplayName("where the present one is refused, too, there is nothing to keep")
    void nothingToKeep() throws Exception {
        TlsMaterial present = tls.current();
        others = Outcome.REFUSED;
        issue();
        look();
        look();
        assertThat(tls.current()).isNotSameAs(present);
    }

    @Test
    @DisplayName("in an outage the present one stays until a broker can be asked")
    void outage() throws Exception {
        TlsMaterial present = tls.current();
        others = Outcome.NO_ANSWER;
        issue();
        look();
        look();
        assertThat(tls.current()).isSameAs(present);
        assertThat(link.status().notice()).isEmpty();
        others = Outcome.TAKEN;
        clock.move(Duration.ofSeconds(5));
        look();
        assertThat(tls.current()).isNotSameAs(present);
    }

    @Test
    @DisplayName("warns at 30 % of life, is DEGRADED from 10 % on, and well again with a new one")
    void warns() throws Exception {
        link.monitor().assigned("HERMES_A", 1);
        look();
        assertThat(link.status().notice()).isEmpty();
        assertThat(watch.status())
                .extracting(CertificateStatus::name)
                .containsExactly("hermes producer", "hermes side A");
        assertThat(watch.status().get(0).secondsLeft(clock.instant())).isEqualTo(1000);

        clock.move(Duration.ofSeconds(701));
        look();
        LinkStatus warned = link.status();
        assertThat(warned.state().isProblem()).isFalse();
        assertThat(warned.notice())
                .contains("hermes: certificate 'CN=c")
                .contains("ends on 2026-01-01T00:16:40Z")
                .contains("have a new one issued and put it in place of '" + stores.keystore());

        clock.move(Duration.ofSeconds(200));
        look();
        LinkStatus soon = link.status();
        assertThat(soon.state()).isEqualTo(LinkState.DEGRADED);
        assertThat(soon.reason()).contains("ends on 2026-01-01T00:16:40Z (10 % left)");

        clock.move(Duration.ofSeconds(200));
        tls.renewalFault("the authority is away");
        look();
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
        assertThat(link.status().reason())
                .contains("expired on 2026-01-01T00:16:40Z")
                .contains("renewal fails: the authority is away");
        assertThat(watch.status().get(0).warning()).isNotEmpty();

        tls.renewalFault(null);
        issue();
        look();
        look();
        assertThat(link.status().errorSince()).isNull();
        assertThat(link.status().notice()).isEmpty();
        assertThat(watch.status().get(0).warning()).isEmpty();
    }

    @Test
    @DisplayName("a refused handshake is told with subject, serial, date and mend")
    void refusal() {
        SslAuthenticationException refused =
                new SslAuthenticationException(
                        "SSL handshake failed",
                        new javax.net.ssl.SSLHandshakeException("certificate_unknown"));
        String serial = tls.current().life().serial();
        assertThat(CertificateRefusal.explain(sideA, refused, START))
                .contains("refuses the certificate 'CN=c")
                .contains("serial " + serial)
                .contains("revoked")
                .contains("put it in place of");
        assertThat(CertificateRefusal.explain(sideA, refused, START.plus(LIFE)))
                .contains("expired on 2026-01-01T00:16:40Z")
                .doesNotContain("revoked");
        assertThat(
                        CertificateRefusal.explain(
                                sideA,
                                new SslAuthenticationException(
                                        "SSL handshake failed",
                                        new java.security.cert.CertificateException("no path")),
                                START))
                .contains("the broker's certificate is not taken")
                .contains("truststore");
        assertThat(CertificateRefusal.explain(Fixtures.PLANT, refused, START)).isNull();
        assertThat(CertificateRefusal.explain(sideA, new IllegalStateException(), START)).isNull();
        assertThat(FailureClassifier.classify("topic t", sideA, refused).reason())
                .startsWith("topic t: the broker refuses the certificate");
    }
}
