package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.EngineFactory;
import dev.streamconnect.camel.RecordingEngine;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.engine.EngineSettings;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.preflight.PreflightTarget;
import dev.streamconnect.servicenow.TableApiServer;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.MetricsRecord;
import dev.streamconnect.spi.MetricsStore;
import dev.streamconnect.spi.TopicPair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.camel.Component;
import org.apache.camel.impl.DefaultCamelContext;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is set by the name of an option arrives where it has its effect. */
@DisplayName("Options of the components")
class OptionEffectsTest {

    private static final String RECORDS =
            """
            version: 1
            connections:
              - id: plant
                bootstrapServers: localhost:9092
            messageReplications:
              - name: plant
                connection: plant
                topicReplications:
                  - id: a
                    direction: toServiceNow
                    topicName: a
                    serviceNowTopic: a
            """;

    @TempDir Path folder;

    private final List<EngineSettings> engines = new ArrayList<>();
    private final RecordingEngine engine = new RecordingEngine();
    private DefaultCamelContext context;

    @BeforeEach
    void makeContext() throws Exception {
        context = new DefaultCamelContext();
        context.getRegistry()
                .bind(
                        "engine",
                        EngineFactory.class,
                        (EngineFactory)
                                settings -> {
                                    engines.add(settings);
                                    return engine;
                                });
        Files.writeString(folder.resolve("replications.yaml"), RECORDS);
        set("hermes", "instance", "acme");
        HermesComponent hermes = context.getComponent("hermes", HermesComponent.class);
        hermes.getConfiguration().getProducerProperties().put("security.protocol", "PLAINTEXT");
        hermes.getConfiguration().getConsumerProperties().put("security.protocol", "PLAINTEXT");
        set("replication", "records", "file:" + folder.resolve("replications.yaml"));
        set("replication", "recordsInterval", 0);
        set("replication", "buildRoutes", false);
    }

    @AfterEach
    void closeContext() throws Exception {
        context.close();
    }

    /** As a property {@code camel.component.NAME.OPTION} does. */
    private void set(String name, String option, Object value) {
        Component component = context.getComponent(name);
        assertThat(
                        component
                                .getComponentPropertyConfigurer()
                                .configure(
                                        context,
                                        component,
                                        option,
                                        value instanceof Number || value instanceof Boolean
                                                ? value.toString()
                                                : value,
                                        false))
                .isTrue();
    }

    private ReplicationComponent component() {
        return context.getComponent("replication", ReplicationComponent.class);
    }

    private LinkOptions linkOptions() {
        return component()
                .linkOptions(component().links(), component().activeReplication("a"), true);
    }

    @Test
    @DisplayName("of times and bounds are those of a topic replication's link")
    void times() {
        set("replication", "commitInterval", 1001);
        set("replication", "maxUncommitted", 1002);
        set("replication", "idleAfter", 1003);
        set("replication", "stalledAfter", 1004);
        set("replication", "missingTimeout", 1005);
        set("replication", "routeRetryLimit", 1006);
        set("replication", "retryInitial", 1007);
        set("replication", "retryMax", 1008);
        context.start();

        LinkOptions options = linkOptions();
        assertThat(options.commitInterval()).hasMillis(1001);
        assertThat(options.maxUncommitted()).isEqualTo(1002);
        assertThat(options.times().idleAfter()).hasMillis(1003);
        assertThat(options.times().stalledAfter()).hasMillis(1004);
        assertThat(options.times().missingTimeout()).hasMillis(1005);
        assertThat(options.routeRetryLimit()).hasMillis(1006);
        assertThat(options.retryInitial()).hasMillis(1007);
        assertThat(options.retryMax()).hasMillis(1008);
    }

    @Test
    @DisplayName("of undelivered messages are those of the engine")
    void undelivered() {
        set("replication", "undeliveredUrl", "file:" + folder.resolve("undelivered"));
        set("replication", "undeliveredRetryInitial", 2001);
        set("replication", "undeliveredRetryMax", 2002);
        set("replication", "undeliveredMaxAttempts", 2003);
        set("replication", "undeliveredMaxAge", 2004);
        set("replication", "ordering", "none");
        set("replication", "node", "n7");
        context.start();

        component().states();
        assertThat(engines).hasSize(1);
        EngineSettings settings = engines.get(0);
        assertThat(settings.retry().initial()).hasMillis(2001);
        assertThat(settings.retry().max()).hasMillis(2002);
        assertThat(settings.retry().maxAttempts()).isEqualTo(2003);
        assertThat(settings.retry().maxAge()).hasMillis(2004);
        assertThat(settings.holdsKeys()).isFalse();
        assertThat(settings.node()).isEqualTo("n7");
        assertThat(settings.store()).isNotNull();
    }

    @Test
    @DisplayName("undeliveredDataSource is the database in which the tables are made and used")
    void dataSource() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl("jdbc:h2:mem:own;DB_CLOSE_DELAY=-1");
        set("replication", "undeliveredDataSource", source);
        context.start();

        component().states();
        assertThat(
                        engines.get(0)
                                .store()
                                .heldKeys(new MessageOrigin("a", "", 0), new TopicPair("a", "a")))
                .isEmpty();
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet tables =
                        statement.executeQuery(
                                "select count(*) from information_schema.tables where table_name"
                                        + " like 'STREAMCONNECT%'")) {
            assertThat(tables.next()).isTrue();
            assertThat(tables.getInt(1)).isPositive();
        }
    }

    @Test
    @DisplayName("of Hermes's partitions are the limits that the preflight goes by")
    void partitions() {
        set("hermes", "maxTopicPartitions", 5);
        set("hermes", "maxPartitions", 77);

        List<PreflightTarget> targets =
                new PreflightTargets(
                                component().records(),
                                context.getComponent("hermes", HermesComponent.class))
                        .of(List.of(component().activeReplication("a")));

        assertThat(targets)
                .filteredOn(target -> target.hermes() != null)
                .isNotEmpty()
                .allSatisfy(
                        target -> {
                            assertThat(target.hermes().maxTopicPartitions()).isEqualTo(5);
                            assertThat(target.hermes().maxPartitions()).isEqualTo(77);
                        });
    }

    @Test
    @DisplayName("of rates toward Hermes are those of the engine")
    void rates() {
        set("hermes", "maxProducedBytesPerSecond", 1_000_001);
        set("hermes", "maxConsumedBytesPerSecond", 1_000_002);
        context.start();

        component().states();
        assertThat(engines.get(0).rates().produced()).isEqualTo(1_000_001);
        assertThat(engines.get(0).rates().consumed()).isEqualTo(1_000_002);
    }

    @Test
    @DisplayName("of an OAuth client have the instance read with a token; an overlay adds to rows")
    void instance() throws Exception {
        Path overlay = folder.resolve("overlay.yaml");
        Files.writeString(overlay, "topicReplications:\n  a:\n    startFrom: latest\n");
        try (TableApiServer server = new TableApiServer().plant().topic("a")) {
            set("replication", "records", "servicenow:" + server.url());
            set("replication", "serviceNowUser", TableApiServer.USER);
            set("replication", "serviceNowPassword", TableApiServer.PASSWORD);
            set("replication", "serviceNowClientId", TableApiServer.CLIENT);
            set("replication", "serviceNowClientSecret", TableApiServer.CLIENT_SECRET);
            set("replication", "serviceNowOverlay", overlay.toString());
            set("replication", "serviceNowCache", folder.resolve("cache.json").toString());

            assertThat(component().records().topicReplication("a").orElseThrow().startFrom())
                    .hasToString("latest");
            assertThat(server.grants).contains("password");
        }
    }

    @Test
    @DisplayName("serviceNowTruststore has an authority that Java does not know")
    void truststore() throws Exception {
        CertificateAuthority authority =
                CertificateAuthority.create(
                        HermesSubject.client("private", "acme"),
                        Validity.of(Instant.now(), Duration.ofDays(1)));
        Path trusted = folder.resolve("trusted.p12");
        KeyStores.writeTrustStore(
                trusted, List.of(authority.certificate()), "store-word".toCharArray());
        try (TableApiServer server = TableApiServer.https(authority, "localhost").plant()) {
            server.topic("a");
            set("replication", "records", "servicenow:" + server.url());
            set("replication", "serviceNowUser", TableApiServer.USER);
            set("replication", "serviceNowPassword", TableApiServer.PASSWORD);
            set("replication", "serviceNowCache", "none");
            set("replication", "serviceNowTruststore", trusted.toString());
            set("replication", "serviceNowTruststorePassword", "store-word");

            assertThat(component().records().topicReplication("a")).isPresent();
        }
    }

    @Test
    @DisplayName("metricsRetention is the age at which windows are deleted")
    void retention() {
        List<Instant> purged = new CopyOnWriteArrayList<>();
        MetricsStore windows =
                new MetricsStore() {
                    @Override
                    public void add(Collection<MetricsRecord> more) {}

                    @Override
                    public List<MetricsRecord> find(
                            String channelReplication, Instant from, Instant to, int maxRows) {
                        return List.of();
                    }

                    @Override
                    public int purge(Instant olderThan) {
                        purged.add(olderThan);
                        return 0;
                    }

                    @Override
                    public void close() {}
                };
        context.getRegistry().bind("windows", MetricsStore.class, windows);
        set("replication", "metricsRetention", Duration.ofDays(3).toMillis());
        context.start();

        component().states();
        await().atMost(Duration.ofSeconds(60)).until(() -> !purged.isEmpty());
        assertThat(purged).containsOnly(engine.clock.instant().minus(Duration.ofDays(3)));
    }
}
