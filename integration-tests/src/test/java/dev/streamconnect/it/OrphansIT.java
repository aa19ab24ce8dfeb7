package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ChosenKill.Moment;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of senders that are gone: 10,000, of ten topics, with 50 keys each. */
@Tag("fault")
@DisplayName("Two nodes that share 10,000 stored messages without a source")
class OrphansIT {

    private static final int TOPICS = 10;
    private static final int ROWS_OF_A_TOPIC = 1_000;
    private static final int KEYS_OF_A_TOPIC = 50;
    private static final int ROWS_AT_ONCE = 500;
    private static final Duration DELIVERY = Duration.ofSeconds(10);

    /** What a node promises: how long it may take to deliver, and a minute. */
    private static final Duration LEASE = DELIVERY.plusSeconds(60);

    private static final Duration LIMIT = Duration.ofSeconds(180);

    private final Sandbox sandbox = Sandbox.shared();
    private final Map<String, Integer> sent = new HashMap<>();

    @TempDir Path folder;

    @AfterEach
    void heal() {
        sandbox.heal();
    }

    @Test
    @Tag("case-U4")
    @DisplayName("deliver each exactly once, in the order of its key")
    void together() {
        String name = "orphans";
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                UndeliveredDatabase database = server.database()) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            topics(name);
            Set<String> owners = new TreeSet<>();
            Instant began;
            try (ReplicatorProcess first = start(name, 1, ChosenKill.options(server.url()));
                    ReplicatorProcess second = start(name, 2, ChosenKill.options(server.url()))) {
                // So that a sweep takes its time, and each node finds some to do.
                sandbox.delay(Role.producer, Duration.ofMillis(100));
                began = Instant.now();
                fill(store, name);
                Awaitility.await("all swept")
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(50))
                        .until(
                                () -> {
                                    leases(server).values().forEach(owners::add);
                                    return store.totals().isEmpty();
                                });
                assertThat(first.isAlive()).isTrue();
                assertThat(second.isAlive()).isTrue();
            }
            Audit audit = Audit.of(sent, stored(name));
            System.out.printf(
                    "%s: %s in %d s by %d nodes%n",
                    name, audit, Duration.between(began, Instant.now()).toSeconds(), owners.size());
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.delivered()).isEqualTo(TOPICS * ROWS_OF_A_TOPIC);
            assertThat(audit.duplicates()).isZero();
        }
    }

    @Test
    @Tag("case-U4")
    @DisplayName(
            "where one is killed: its leases are taken over, and only what it had sent comes again")
    void killed() {
        String name = "orphans-kill";
        try (PostgreSql server = PostgreSql.started(folder.resolve("postgresql"));
                UndeliveredDatabase database = server.database()) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            topics(name);
            fill(store, name);
            Instant killed;
            try (ReplicatorProcess dies =
                    start(name, 1, ChosenKill.options(server.url(), Moment.RETRY_DELIVERED, 3))) {
                assertThat(dies.exitCode(LIMIT)).isEqualTo(ChosenKill.EXIT);
                killed = Instant.now();
            }
            Set<String> leased = leases(server).keySet();
            int delivered = stored(name).size();
            assertThat(leased).isNotEmpty();
            assertThat(delivered).isPositive();
            Duration takenOver = null;
            try (ReplicatorProcess other = start(name, 2, ChosenKill.options(server.url()))) {
                while (!store.totals().isEmpty()) {
                    assertThat(Duration.between(killed, Instant.now())).isLessThan(LIMIT);
                    assertThat(other.isAlive()).isTrue();
                    if (takenOver == null && ofTopics(leased) > delivered) {
                        takenOver = Duration.between(killed, Instant.now());
                    }
                }
            }
            Audit audit = Audit.of(sent, stored(name));
            System.out.printf(
                    "%s: %s; %d delivered at the kill, %d topics leased, taken over after %s ms%n",
                    name,
                    audit,
                    delivered,
                    leased.size(),
                    takenOver == null ? "?" : takenOver.toMillis());
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.delivered()).isEqualTo(TOPICS * ROWS_OF_A_TOPIC);
            assertThat(audit.duplicates())
                    .as("what it had sent and not removed")
                    .isPositive()
                    .isLessThanOrEqualTo(Math.min(delivered, leased.size() * ROWS_AT_ONCE));
            assertThat(takenOver).isGreaterThan(LEASE.minusSeconds(15));
        }
    }

    private ReplicatorProcess start(String name, int node, List<String> jvmOptions) {
        StringBuilder routes = new StringBuilder();
        for (int topic = 0; topic < TOPICS; topic++) {
            routes.append(
                    """
                    - route:
                        from:
                          uri: direct:in-%1$s
                          steps:
                            - to: hermes:%1$s
                    """
                            .formatted(topic(name, topic)));
        }
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, name)
                        .routes(routes.toString())
                        .set("camel.component.replication.node", "node-" + node)
                        .set(
                                "camel.component.hermes.producerProperties[delivery.timeout.ms]",
                                String.valueOf(DELIVERY.toMillis()))
                        .set(
                                "camel.component.hermes.producerProperties[request.timeout.ms]",
                                "5000")
                        .set("camel.component.replication.retryRoute", "true")
                        .set("camel.component.replication.metricsRoute", "false")
                        .set("camel.component.replication.retryInterval", "200");
        return ReplicatorProcess.start(settings, folder.resolve("node-" + node), jvmOptions);
    }

    private static String topic(String name, int topic) {
        return name + "-" + topic;
    }

    private void topics(String name) {
        for (int topic = 0; topic < TOPICS; topic++) {
            sandbox.topics().create(sandbox.topicName(topic(name, topic)), 2);
        }
    }

    /** As senders would have left them while Hermes was away. */
    private void fill(UndeliveredStore store, String name) {
        for (int topic = 0; topic < TOPICS; topic++) {
            String full = sandbox.topicName(topic(name, topic));
            List<UndeliveredMessage> rows = new ArrayList<>();
            for (int row = 0; row < ROWS_OF_A_TOPIC; row++) {
                String key = topic + "-" + row % KEYS_OF_A_TOPIC;
                int number = sent.merge(key, 1, Integer::sum) - 1;
                rows.add(row(full, key, String.valueOf(number)));
            }
            store.store(rows);
        }
    }

    private static UndeliveredMessage row(String topic, String key, String value) {
        Instant now = Instant.now();
        return new UndeliveredMessage(
                MessageOrigin.direct(topic),
                Stage.DESTINATION,
                "",
                0,
                -1,
                0,
                TopicPair.direct(topic),
                null,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8),
                List.of(),
                now.toEpochMilli(),
                Reason.UNREACHABLE,
                "org.apache.kafka.common.errors.TimeoutException",
                "no acknowledgement",
                1,
                now,
                now);
    }

    private List<Stored> stored(String name) {
        List<Stored> all = new ArrayList<>();
        for (int topic = 0; topic < TOPICS; topic++) {
            all.addAll(sandbox.readBack().both(sandbox.topicName(topic(name, topic))));
        }
        return all;
    }

    /** Records of the topics with these full names. */
    private int ofTopics(Set<String> full) {
        int records = 0;
        for (String topic : full) {
            records += sandbox.readBack().both(topic).size();
        }
        return records;
    }

    /** Owners by topic, as the database has them. */
    private static Map<String, String> leases(PostgreSql server) {
        Map<String, String> owners = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("select name, owner from streamconnect_lease")) {
            while (rows.next()) {
                owners.put(rows.getString("name"), rows.getString("owner"));
            }
            return owners;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
