package dev.streamconnect.camel.hermes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TestStores;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.record.StartFrom;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HermesSettingsTest {

    private static final String PASSWORD = "store-secret";

    @TempDir private static Path folder;

    private static Path keystore;

    @BeforeAll
    static void makeStore() throws Exception {
        keystore =
                TestStores.keystore(
                        folder.resolve("keystore.p12"),
                        "PKCS12",
                        PASSWORD,
                        PASSWORD,
                        "CN=acme.service-now.com");
    }

    @Test
    @DisplayName("instance and keystore are enough; addresses, topic and TLS follow")
    void derives() {
        HermesSettings settings = settings(form -> form.setGroupId("reader"));

        assertThat(settings.topic()).isEqualTo("snc.acme.orders");
        assertThat(settings.groupId()).isEqualTo("snc.acme.reader");
        assertThat(settings.startFrom()).isEqualTo(StartFrom.EARLIEST);
        ConnectionSettings producer = settings.producer();
        assertThat(producer.role()).isEqualTo(ClientRole.HERMES_PRODUCER);
        assertThat(producer.bootstrapServers())
                .isEqualTo(
                        "acme.service-now.com:4000,acme.service-now.com:4001,acme.service-now.com:4002,"
                                + "acme.service-now.com:4003");
        assertThat(producer.groupId()).isNull();
        assertThat(producer.properties())
                .containsEntry("security.protocol", "SSL")
                .containsEntry("ssl.keystore.location", keystore.toString())
                .containsEntry("compression.type", "none");
        List<ConnectionSettings> consumers = settings.consumers(settings.groupId());
        assertThat(consumers)
                .extracting(ConnectionSettings::role)
                .containsExactly(ClientRole.HERMES_A, ClientRole.HERMES_B);
        assertThat(consumers.get(1).bootstrapServers()).startsWith("acme.service-now.com:4200,");
        assertThat(consumers.get(0).properties()).doesNotContainKey("compression.type");
    }

    @Test
    @Tag("case-H3")
    @DisplayName("H3: one side given derives the other; one side alone is a visible choice")
    void sides() {
        HermesSettings derived = settings(form -> form.setConsumerABootstrapServers("gate:4100"));
        assertThat(derived.consumers("g").get(1).bootstrapServers()).isEqualTo("gate:4200");
        assertThat(settings(form -> form.setSides("B")).consumers("g"))
                .extracting(ConnectionSettings::role)
                .containsExactly(ClientRole.HERMES_B);
    }

    @Test
    @Tag("case-F21")
    @DisplayName("F21: zstd and snappy are refused by name, as option and as client property")
    void codecs() {
        assertFault(
                form -> form.setCompressionType("zstd"),
                "compressionType: Hermes does not accept zstd;");
        assertFault(
                form -> form.setCompressionType("snappy"),
                "compressionType: Hermes does not accept snappy;");
        assertFault(
                form -> form.setCompressionType("rar"),
                "compressionType: 'rar' is no compression;");
        assertFault(
                form -> form.getProducerProperties().put("compression.type", "zstd"),
                "producer.compression.type: Hermes does not accept zstd;");
        assertThat(settings(form -> form.setCompressionType("LZ4")).producer().properties())
                .containsEntry("compression.type", "lz4");
    }

    @Test
    @DisplayName("a client property that stops a client is refused before there is one")
    void badProperties() {
        assertFault(
                form -> form.getProducerProperties().put("linger.ms", "abc"),
                "producerProperties[linger.ms]: has a value that Kafka's clients do not take: ");
        assertFault(
                form -> form.getConsumerProperties().put("fetch.max.wait.ms", "-5"),
                "consumerProperties[fetch.max.wait.ms]: has a value that Kafka's clients do not take: ");
    }

    @Test
    @DisplayName("the user's client properties win, each for its role")
    void usersProperties() {
        HermesSettings settings =
                settings(
                        form -> {
                            form.getProducerProperties().put("linger.ms", "20");
                            form.getProducerProperties().put("security.protocol", "PLAINTEXT");
                            form.getConsumerProperties().put("fetch.min.bytes", "1024");
                        });

        assertThat(settings.producer().properties())
                .containsEntry("linger.ms", "20")
                .containsEntry("security.protocol", "PLAINTEXT");
        assertThat(settings.consumers("g").get(0).properties())
                .containsEntry("fetch.min.bytes", "1024")
                .containsEntry("security.protocol", "SSL");
    }

    @Test
    @Tag("case-H15")
    @DisplayName("H15: topic, host and certificate of another instance are refused unless allowed")
    void otherInstance() {
        assertFault(form -> form.setInstance("test"), "instance: certificate ");
        assertFault(
                form -> form.setProducerBootstrapServers("test.service-now.com:4000"),
                "instance: host 'test.service-now.com' is of instance 'test'");
        assertThatThrownBy(
                        () ->
                                HermesSettings.of(
                                        form(), "snc.prod.orders", HermesSettingsTest::load))
                .hasMessageStartingWith("topic: 'snc.prod.orders' is a topic of instance 'prod'");
        HermesConfiguration allowed = form();
        allowed.setAllowInstanceMismatch(true);
        assertThat(HermesSettings.of(allowed, "snc.prod.orders", HermesSettingsTest::load).topic())
                .isEqualTo("snc.prod.orders");
    }

    @Test
    @Tag("case-H9")
    @DisplayName("H9: names with namespace and application id, and the reason for bad ones")
    void names() {
        assertThat(settings(form -> form.setApplicationId("sn_streamconnect")).topic())
                .isEqualTo("snc.acme.sn_streamconnect.orders");
        assertThat(
                        settings(
                                        form -> {
                                            form.setApplicationId("sn_streamconnect");
                                            form.setNamespace("ns");
                                        })
                                .topic())
                .isEqualTo("snc.acme.ns.sn_streamconnect.orders");
        for (String bad : List.of("SNC.acme.t", "snc.acme..t", "a".repeat(201), "a b")) {
            assertThatThrownBy(() -> HermesSettings.of(form(), bad, HermesSettingsTest::load))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("topic: ")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    @DisplayName("each fault names its option")
    void faults() {
        assertFault(form -> form.setInstance(null), "instance: is missing");
        assertFault(form -> form.setKeystore(null), "keystore: is missing");
        assertFault(form -> form.setKeystorePassword("wrong"), "keystorePassword: does not open");
        assertFault(form -> form.setSides("C"), "sides: 'C' is none of");
        assertFault(form -> form.setStartFrom("yesterday"), "startFrom: 'yesterday' is neither");
        assertFault(form -> form.setMaxMessageBytes(0), "maxMessageBytes: 0 is out of range");
        assertFault(form -> form.setDrainLimit(0), "drainLimit: 0 is too small");
        assertFault(form -> form.setDeduplicateWindow(0), "deduplicateWindow: 0 is out of range");
        assertFault(form -> form.setGroupId("snc.other.g"), "groupId: ");
        assertFault(form -> form.setPortBase(0), "portBase: ");
        assertFault(
                form -> form.setConsumerABootstrapServers("x:9"), "consumerABootstrapServers: ");
    }

    @Test
    @DisplayName("no toString shows a password")
    void hidesPasswords() {
        HermesSettings settings = settings(form -> {});

        assertThat(settings + " " + settings.producer() + " " + settings.tls())
                .doesNotContain("secret");
    }

    private static void assertFault(Consumer<HermesConfiguration> change, String start) {
        assertThatThrownBy(() -> settings(change))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(start)
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("\n");
    }

    private static HermesSettings settings(Consumer<HermesConfiguration> change) {
        HermesConfiguration form = form();
        change.accept(form);
        return HermesSettings.of(form, "orders", HermesSettingsTest::load);
    }

    private static WatchedTls load(TlsOptions options) {
        return WatchedTls.open(options, Clock.systemUTC());
    }

    private static HermesConfiguration form() {
        HermesConfiguration form = new HermesConfiguration();
        form.setInstance("acme");
        form.setKeystore(keystore.toString());
        form.setKeystorePassword(PASSWORD);
        return form;
    }
}
