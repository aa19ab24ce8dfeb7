package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.MovedClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-S3")
@DisplayName("Watched stores")
class WatchedTlsTest {

    private static final Instant START = MovedClock.START;
    private static final Duration WEEK = Duration.ofDays(7);

    @TempDir Path folder;

    private final MovedClock clock = new MovedClock();
    private IssuedStores stores;
    private WatchedTls tls;
    private TlsMaterial first;

    @BeforeEach
    void open() throws Exception {
        stores = new IssuedStores(folder);
        stores.issue(START, WEEK);
        tls = WatchedTls.open(stores.options(), clock);
        first = tls.current();
    }

    private void assertNothingNew() {
        assertThat(tls.look()).isFalse();
        assertThat(tls.look()).isFalse();
        assertThat(tls.candidate()).isNull();
        assertThat(tls.current()).isSameAs(first);
    }

    @Test
    @DisplayName("a new certificate is a candidate at the second look, and in effect when accepted")
    void candidate() throws Exception {
        assertNothingNew();
        String serial = stores.issue(START, WEEK.multipliedBy(2)).getSerialNumber().toString(16);

        assertThat(tls.look()).isFalse();
        assertThat(tls.look()).isTrue();
        assertThat(tls.current()).isSameAs(first);

        TlsMaterial next = tls.candidate();
        tls.accept(next);
        assertThat(tls.current()).isSameAs(next);
        assertThat(next.life().serial()).isEqualToIgnoringCase(serial);
        first = next;
        assertNothingNew();
    }

    @Test
    @DisplayName("what is accepted late, when yet another one is there, is not put into effect")
    void overtaken() throws Exception {
        stores.issue(START, WEEK.multipliedBy(2));
        tls.look();
        tls.look();
        TlsMaterial second = tls.candidate();
        stores.issue(START, WEEK.multipliedBy(3));
        tls.look();
        tls.look();
        tls.accept(second);

        assertThat(tls.current()).isSameAs(first);
        tls.accept(tls.candidate());
        assertThat(tls.current().life().notAfter()).isEqualTo(START.plus(WEEK.multipliedBy(3)));
    }

    @Test
    @DisplayName("half a file keeps the old one and is told; the whole one is taken")
    void halfWritten() throws Exception {
        stores.issue(START, WEEK.multipliedBy(2));
        byte[] whole = Files.readAllBytes(stores.keystore());
        for (int length : List.of(0, 1, 100, whole.length / 2, whole.length - 1)) {
            Files.write(stores.keystore(), Arrays.copyOf(whole, length));
            assertNothingNew();
            assertThat(tls.fault()).as("%d bytes", length).startsWith("keystore: ");
        }
        Files.write(stores.keystore(), whole);
        assertThat(tls.look()).isFalse();
        assertThat(tls.look()).isTrue();
        assertThat(tls.fault()).isNull();
    }

    @Test
    @DisplayName("a file that grows from look to look is never judged")
    void grows() throws Exception {
        stores.issue(START, WEEK.multipliedBy(2));
        byte[] whole = Files.readAllBytes(stores.keystore());
        for (int length = 0; length < whole.length; length += 50) {
            Files.write(stores.keystore(), Arrays.copyOf(whole, length));
            assertThat(tls.look()).isFalse();
            assertThat(tls.fault()).isNull();
        }
    }

    @Test
    @DisplayName(
            "a missing, expired or not yet valid one, and one of another password, keep the old")
    void wrong() throws Exception {
        Files.delete(stores.keystore());
        assertNothingNew();
        assertThat(tls.fault()).contains("does not exist");

        stores.issue(START.minus(WEEK), Duration.ofDays(1));
        assertNothingNew();
        assertThat(tls.fault()).contains("expired on 2025-12-26");

        TestStores.keystore(
                folder.resolve("other.p12"), "PKCS12", "another-one", "another-one", "CN=c");
        Files.copy(
                folder.resolve("other.p12"),
                stores.keystore(),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertNothingNew();
        assertThat(tls.fault())
                .contains("keystorePassword: does not open")
                .doesNotContain(IssuedStores.PASSWORD);

        stores.issue(START.plusSeconds(60), WEEK);
        assertNothingNew();
        assertThat(tls.fault()).contains("is not valid before");
        clock.move(Duration.ofSeconds(61));
        assertThat(tls.look()).as("its time has come").isTrue();
    }

    @Test
    @DisplayName("a rule of the connection is asked, and the old file put back ends the fault")
    void rule() throws Exception {
        tls.require(
                material -> {
                    throw new IllegalArgumentException("of another instance");
                });
        byte[] before = Files.readAllBytes(stores.keystore());
        stores.issue(START, WEEK.multipliedBy(2));
        assertNothingNew();
        assertThat(tls.fault()).isEqualTo("of another instance");
        Files.write(stores.keystore(), before);
        assertNothingNew();
        assertThat(tls.fault()).isNull();
    }

    @Test
    @DisplayName("the format may change, and a second authority in the truststore is new material")
    void formatsAndAuthorities() throws Exception {
        stores.issueJks(START, WEEK.multipliedBy(2));
        tls.look();
        assertThat(tls.look()).isTrue();
        tls.accept(tls.candidate());
        assertThat(tls.current().properties()).containsEntry("ssl.keystore.type", "JKS");

        stores.trust(stores.authority(), IssuedStores.authority("next-ca"));
        tls.look();
        assertThat(tls.look()).isTrue();
        tls.accept(tls.candidate());
        assertThat(tls.current().truststore().size()).isEqualTo(2);
    }

    @Test
    @DisplayName("Kafka's clients are built without the files and take what is in effect")
    void clients() throws Exception {
        Map<String, Object> properties = new HashMap<>(tls.properties());
        properties.put("security.protocol", "SSL");
        ConnectionSettings settings =
                new ConnectionSettings(
                        "plant", ClientRole.CUSTOMER, "localhost:1", "g", properties);
        assertThat(KafkaClients.consumerConfig(settings, "c"))
                .containsEntry("ssl.engine.factory.class", WatchedSslEngines.class)
                .doesNotContainKeys(
                        "ssl.keystore.location", "ssl.keystore.password", "ssl.truststore.type");
        Files.delete(stores.keystore());
        try (Admin admin = KafkaClients.admin(settings, "c")) {
            assertThat(admin.metrics()).isNotEmpty();
        }

        WatchedSslEngines engines = new WatchedSslEngines();
        engines.configure(
                new AbstractConfig(
                        new ConfigDef().withClientSslSupport(),
                        Map.of("ssl.enabled.protocols", "TLSv1.2"),
                        Map.of(),
                        false) {
                    @Override
                    public Map<String, ?> values() {
                        Map<String, Object> all = new HashMap<>(super.values());
                        all.put(WatchedTls.PROPERTY, tls);
                        return all;
                    }
                }.values());
        SSLEngine engine = engines.createClientSslEngine("h", 1, "https");
        assertThat(engine.getEnabledProtocols()).containsExactly("TLSv1.2");
        assertThat(engine.getSSLParameters().getEndpointIdentificationAlgorithm())
                .isEqualTo("https");
        assertThat(engine.getUseClientMode()).isTrue();
        stores.issue(START, WEEK.multipliedBy(2));
        tls.look();
        tls.look();
        tls.accept(tls.candidate());
        assertThat(engines.keystore()).isSameAs(tls.current().keystore()).isNotNull();
    }

    @Test
    @DisplayName("stores among the user's own client properties are the user's")
    void usersOwn() {
        Map<String, Object> own = new HashMap<>(tls.properties());
        WatchedTls.yieldTo(own, Map.of("max.poll.records", "5"));
        assertThat(own).containsKey(WatchedTls.PROPERTY);
        WatchedTls.yieldTo(own, Map.of("ssl.keystore.location", "/mine"));
        assertThat(own).doesNotContainKey(WatchedTls.PROPERTY);
    }
}
