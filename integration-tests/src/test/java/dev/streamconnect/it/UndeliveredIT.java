package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.SweepCounts;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.camel.ProducerTemplate;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("With an undelivered store")
class UndeliveredIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sandbox sandbox = Sandbox.shared();
    private UndeliveredDatabase database;
    private UndeliveredStore store;

    @TempDir Path folder;

    @BeforeEach
    void open() {
        database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        store = database.undeliveredStore(StoreLimits.DEFAULT);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private ReplicatorSettings settings(String topic) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic)
                .set("camel.component.replication.undeliveredRetryInitial", "1")
                .set("camel.component.replication.retryRoute", "false");
    }

    private Replicator start(ReplicatorSettings settings) throws Exception {
        return Replicator.start(settings, folder, Map.of("store", store));
    }

    private static SweepCounts retry(Replicator replicator) {
        ProducerTemplate template = replicator.main().getCamelContext().createProducerTemplate();
        return template.requestBody("replication:*?operation=retry", null, SweepCounts.class);
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .map(Stored::text)
                .map(text -> text.length() > 20 ? text.substring(0, 3) : text)
                .toList();
    }

    private void awaitDelivered(String topic, String... texts) {
        Awaitility.await("delivered of " + topic)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(delivered(topic)).containsExactly(texts));
    }

    private List<StoredMessage> rows() {
        return store.list(RowSelector.ALL, 0, 100);
    }

    private void awaitRows(int count) {
        Awaitility.await("rows").atMost(LIMIT).until(() -> rows().size() == count);
    }

    private static byte[] large(String name) {
        return large(name, 200_000 + name.length());
    }

    private static byte[] large(String name, int bytes) {
        return (name + "x".repeat(bytes - name.length())).getBytes(StandardCharsets.UTF_8);
    }

    /** With all that is easily changed on the way through a database. */
    private static ProducerRecord<byte[], byte[]> odd(String topic, byte[] value) {
        long hourAgo = System.currentTimeMillis() - 3_600_000;
        return new ProducerRecord<>(
                topic,
                0,
                hourAgo,
                "k".getBytes(StandardCharsets.UTF_8),
                value,
                List.of(
                        new RecordHeader("a", new byte[] {0, -1, 127, -128}),
                        new RecordHeader("a", null),
                        new RecordHeader("CamelKafkaTopic", new byte[0]),
                        new RecordHeader("\u03a9 \u0000", new byte[] {1}),
                        new RecordHeader("a", new byte[] {2})));
    }

    private void topics(String topic, String limit) {
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1, Map.of("max.message.bytes", limit));
    }

    private void raiseLimit(String topic) {
        for (Side side : List.of(Side.A, Side.B)) {
            sandbox.topics()
                    .configure(
                            side, sandbox.topicName(topic), Map.of("max.message.bytes", "1000000"));
        }
    }

    @Test
    @Tag("case-F19")
    @Tag("case-U1")
    @Tag("case-U2")
    @Tag("case-U4")
    @DisplayName("a message over the limit waits with those of its key, and the others pass")
    void tooLarge() throws Exception {
        String topic = "undelivered-large";
        topics(topic, "100000");
        ReplicatorSettings settings = settings(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = start(settings)) {
            records.put(0, "k", "k-1").put(0, "j", "j-1");
            ProducerRecord<byte[], byte[]> sent = odd(topic, large("k-2"));
            records.producer().send(sent).get();
            records.put(0, "k", "k-3").put(0, "j", "j-2");
            awaitDelivered(topic, "k-1", "j-1", "j-2");
            awaitRows(2);
            StoredMessage row = rows().get(0);
            assertThat(row.message().reason()).isEqualTo(Reason.SIZE);
            assertThat(row.message().offset()).isEqualTo(2);
            assertThat(row.message().errorText())
                    .contains("200032 bytes")
                    .contains("limit of 100000 bytes");
            assertThat(rows().get(1).message().reason()).isEqualTo(Reason.BEHIND_KEY);
            new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, 5);
            replicator.awaitState(topic, LinkState.DEGRADED, LIMIT);
            assertThat(replicator.status(topic).reason())
                    .contains("2 messages are undelivered", "reason SIZE");

            assertThat(retry(replicator).delivered()).isZero();
            assertThat(rows().get(0).message().attempts())
                    .as("no attempt while the limit is known")
                    .isZero();
            raiseLimit(topic);
            Awaitility.await("the retry")
                    .atMost(Duration.ofSeconds(120))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> retry(replicator).delivered() == 2 || rows().isEmpty());
            awaitDelivered(topic, "k-1", "j-1", "j-2", "k-2", "k-3");
            Stored arrived = sandbox.readBack().all(Side.A, sandbox.topicName(topic)).get(3);
            assertThat(arrived.key()).isEqualTo(sent.key());
            assertThat(arrived.value()).isEqualTo(sent.value());
            assertThat(arrived.timestamp()).isEqualTo(sent.timestamp());
            assertThat(arrived.headers()).isEqualTo(List.of(sent.headers().toArray()));
            records.put(0, "k", "k-4");
            awaitDelivered(topic, "k-1", "j-1", "j-2", "k-2", "k-3", "k-4");
            assertThat(rows()).isEmpty();
            replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
        }
    }

    @Test
    @Tag("case-F19")
    @Tag("case-U1")
    @Tag("case-U2")
    @DisplayName(
            "one over Hermes's limit of 2 MiB waits, too, until that and our own limit are raised")
    void overHermesLimit() throws Exception {
        String topic = "undelivered-2-mib";
        int bytes = 2_500_000;
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of("max.message.bytes", "8000000"));
        sandbox.topics().create(sandbox.topicName(topic), 1);
        ReplicatorSettings settings = settings(topic);
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            try (Replicator replicator = start(settings)) {
                records.put(0, "k", "k-1").put(0, null, "k", large("k-2", bytes));
                records.put(0, "j", "j-1").put(0, "k", "k-3").put(0, "j", "j-2");
                awaitDelivered(topic, "k-1", "j-1", "j-2");
                awaitRows(2);
                assertThat(rows().get(0).message().reason()).isEqualTo(Reason.SIZE);
                assertThat(rows().get(0).message().errorText())
                        .contains((bytes + 1) + " bytes")
                        .contains("2097152");
                assertThat(rows().get(1).message().reason()).isEqualTo(Reason.BEHIND_KEY);
                new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(topic, 5);
                assertThat(replicator.status(topic).state()).isEqualTo(LinkState.DEGRADED);
            }
            for (Side side : List.of(Side.A, Side.B)) {
                sandbox.topics()
                        .configure(
                                side,
                                sandbox.topicName(topic),
                                Map.of("max.message.bytes", "4000000"));
            }
            settings.set("camel.component.hermes.maxMessageBytes", "4000000");
            try (Replicator replicator = start(settings)) {
                records.put(0, "k", "k-4").put(0, "j", "j-3");
                awaitDelivered(topic, "k-1", "j-1", "j-2", "j-3");
                awaitRows(3);
                Awaitility.await("the retry")
                        .atMost(LIMIT)
                        .until(() -> retry(replicator).delivered() == 3 || rows().isEmpty());
                awaitDelivered(topic, "k-1", "j-1", "j-2", "j-3", "k-2", "k-3", "k-4");
            }
            assertThat(sandbox.readBack().all(Side.A, sandbox.topicName(topic)).get(4).value())
                    .hasSize(bytes);
        }
    }

    @Test
    @Tag("case-F19")
    @DisplayName(
            "messages up to our own limit pass, those over it wait, small ones around them pass")
    void sizes() throws Exception {
        String topic = "undelivered-sizes";
        int mega5 = 5 * 1024 * 1024;
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of("max.message.bytes", "8000000"));
        sandbox.topics()
                .create(sandbox.topicName(topic), 1, Map.of("max.message.bytes", "8000000"));
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = start(settings(topic))) {
            for (int size : List.of(1, 2_000_000, 2_097_152, 2_097_153, mega5, 2)) {
                records.put(0, null, null, new byte[size]);
            }
            awaitRows(2);
            Awaitility.await("the others")
                    .atMost(LIMIT)
                    .untilAsserted(
                            () ->
                                    assertThat(
                                                    sandbox.readBack()
                                                            .all(Side.A, sandbox.topicName(topic)))
                                            .extracting(stored -> stored.value().length)
                                            .containsExactly(1, 2_000_000, 2_097_152, 2));
            assertThat(rows()).extracting(row -> row.message().reason()).containsOnly(Reason.SIZE);
            assertThat(rows().get(0).message().errorText()).contains("2097153", "2097152");
            assertThat(rows().get(1).message().errorText()).contains(String.valueOf(mega5));
            assertThat(retry(replicator)).as("no attempt").isEqualTo(new SweepCounts(0, 2, 0));
            assertThat(rows()).extracting(row -> row.message().attempts()).containsOnly(0);
        }
    }

    @Test
    @Tag("case-U1")
    @DisplayName(
            "what only the broker refuses waits, too, over a restart, and while the record has another destination, to which it does not go")
    void refusedByTheBroker() throws Exception {
        String topic = "undelivered-broker";
        String other = topic + "-2";
        topics(topic, "100000");
        sandbox.topics().create(sandbox.topicName(other), 1);
        // It can't read the topic's settings, so only the broker knows the limit.
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, sandbox.topicName(topic), "READ,WRITE,DESCRIBE");
        sandbox.grantTopic(topic, sandbox.topicName(other), "READ,WRITE,DESCRIBE");
        ReplicatorSettings settings = settings(topic).certificate(blind);
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            try (Replicator replicator = start(settings)) {
                records.put(0, "k", "k-1").put(0, null, "k", large("k-2"));
                records.put(0, "k", "k-3").put(0, "j", "j-1");
                awaitDelivered(topic, "k-1", "j-1");
                awaitRows(2);
                assertThat(rows().get(0).message().errorClass())
                        .as(rows().get(0).message().errorText())
                        .isEqualTo("org.apache.kafka.common.errors.RecordTooLargeException");
                assertThat(rows().get(0).message().attempts()).isEqualTo(1);
                assertThat(retry(replicator)).isEqualTo(new SweepCounts(0, 1, 0));
            }
            String own = settings.records();
            settings.records(own.replace("serviceNowTopic: " + topic, "serviceNowTopic: " + other));
            try (Replicator replicator = start(settings)) {
                records.put(0, "k", "k-o");
                awaitDelivered(other, "k-o");
                assertThat(retry(replicator)).isEqualTo(new SweepCounts(0, 0, 0));
                Awaitility.await("what waits for the topic of before is told")
                        .atMost(LIMIT)
                        .until(
                                () ->
                                        replicator
                                                .status(topic)
                                                .reason()
                                                .startsWith(
                                                        "2 undelivered messages are of "
                                                                + topic
                                                                + " -> "
                                                                + sandbox.topicName(topic)));
                assertThat(rows()).hasSize(2);
            }
            settings.records(own);
            try (Replicator replicator = start(settings)) {
                records.put(0, "k", "k-4").put(0, "j", "j-2");
                awaitDelivered(topic, "k-1", "j-1", "j-2");
                awaitRows(3);
                raiseLimit(topic);
                Awaitility.await("the retry")
                        .atMost(LIMIT)
                        .until(() -> retry(replicator).delivered() == 3 || rows().isEmpty());
                awaitDelivered(topic, "k-1", "j-1", "j-2", "k-2", "k-3", "k-4");
            }
            assertThat(delivered(other)).containsExactly("k-o");
        }
    }

    @Test
    @Tag("case-U4")
    @DisplayName("a message sent without a source is kept, and arrives by the retry")
    void direct() throws Exception {
        String topic = "undelivered-direct";
        String full = sandbox.topicName(topic);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .set("camel.component.replication.undeliveredRetryInitial", "1")
                        .set("camel.component.replication.buildRoutes", "false")
                        .routes(
                                """
                                - route:
                                    from:
                                      uri: direct:in
                                      steps:
                                        - to: hermes:%s
                                """
                                        .formatted(topic));
        try (Replicator replicator = start(settings)) {
            ProducerTemplate template =
                    replicator.main().getCamelContext().createProducerTemplate();
            for (String text : List.of("1", "2")) {
                String why =
                        (String)
                                template.request(
                                                "direct:in",
                                                exchange -> {
                                                    exchange.getMessage().setBody(text);
                                                    exchange.getMessage()
                                                            .setHeader("CamelHermesKey", "k");
                                                })
                                        .getMessage()
                                        .getHeader("CamelHermesUndelivered");
                assertThat(why).as("text " + text).isNotNull();
            }
            awaitRows(2);
            assertThat(rows().get(0).message().reason()).isEqualTo(Reason.TOPIC_MISSING);
            sandbox.topics().create(full, 1);
            Awaitility.await("the retry")
                    .atMost(LIMIT)
                    .until(() -> retry(replicator).delivered() == 2 || rows().isEmpty());
            awaitDelivered(topic, "1", "2");
        }
    }

    @Test
    @Tag("case-U6")
    @DisplayName("a message to a topic that is created just now is tried in place, and not kept")
    void justCreated() throws Exception {
        String topic = "undelivered-new-";
        int topics = 5;
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "undelivered-new")
                        .set("camel.component.replication.buildRoutes", "false")
                        .routes(
                                """
                                - route:
                                    from:
                                      uri: direct:in
                                      steps:
                                        - toD: "hermes:${header.topic}"
                                """);
        try (Replicator replicator = start(settings)) {
            ProducerTemplate template =
                    replicator.main().getCamelContext().createProducerTemplate();
            List<Future<Object>> sent = new ArrayList<>();
            for (int i = 0; i < topics; i++) {
                String name = topic + i;
                if (i % 2 == 0) {
                    // Unknown for as long as it takes to create it.
                    sent.add(template.asyncRequestBodyAndHeader("direct:in", "1", "topic", name));
                    sandbox.topics().create(sandbox.topicName(name), 4);
                } else {
                    sandbox.topics().create(sandbox.topicName(name), 4);
                    sent.add(template.asyncRequestBodyAndHeader("direct:in", "1", "topic", name));
                }
            }
            for (Future<Object> each : sent) {
                each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            for (int i = 0; i < topics; i++) {
                awaitDelivered(topic + i, "1");
            }
            assertThat(rows()).isEmpty();
        }
    }

    @Test
    @Tag("case-F19")
    @DisplayName("a topic that takes less than a batch gets batches that it takes")
    void lessThanABatch() throws Exception {
        String topic = "undelivered-small-limit";
        topics(topic, "100000");
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = start(settings(topic))) {
            for (int i = 0; i < 200; i++) {
                records.put(0, null, "k", large("v" + i, 2_000));
            }
            replicator.awaitMessages(topic, 200, LIMIT);
            assertThat(rows()).isEmpty();
        }
    }

    @Test
    @Tag("case-F19")
    @DisplayName("also where its limit can't be read")
    void lessThanABatchUnread() throws Exception {
        String topic = "undelivered-unread-limit";
        String full = sandbox.topicName(topic);
        topics(topic, "1000");
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, full, "READ,WRITE,DESCRIBE");
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                Replicator replicator = start(settings(topic).certificate(blind))) {
            for (int i = 0; i < 100; i++) {
                records.put(0, null, "k" + i, large("v" + i, 300));
            }
            replicator.awaitMessages(topic, 100, Duration.ofSeconds(120));
            assertThat(rows()).isEmpty();
        }
    }
}
