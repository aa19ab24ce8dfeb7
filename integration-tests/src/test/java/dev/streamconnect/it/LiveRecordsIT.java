package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.camel.Route;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Records change while messages flow")
class LiveRecordsIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String NAME = "live";
    private static final String STEADY = NAME + "-steady";
    private static final String MOVED = NAME + "-moved";
    private static final String GONE = NAME + "-gone";
    private static final String LATE = NAME + "-late";
    private static final int KEYS = 10;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    /** Writes to topics one after another until it is closed. */
    private static final class Flow implements AutoCloseable {

        private final List<Traffic> all = new ArrayList<>();
        private final Thread thread = new Thread(this::run, "flow");
        private volatile boolean ending;
        private volatile RuntimeException failure;

        Flow(Sandbox sandbox, String... topics) {
            for (String topic : topics) {
                all.add(new Traffic(sandbox, topic, KEYS));
            }
            thread.start();
        }

        private void run() {
            try {
                while (!ending) {
                    all.forEach(traffic -> traffic.send(20, 400));
                }
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        /** What was sent to each topic, when nothing more is. */
        List<Traffic> end() throws InterruptedException {
            ending = true;
            thread.join();
            assertThat(failure).isNull();
            return all;
        }

        @Override
        public void close() throws InterruptedException {
            ending = true;
            thread.join();
            all.forEach(Traffic::close);
        }
    }

    private static ReplicatorSettings add(ReplicatorSettings settings, String... topics) {
        for (String topic : topics) {
            settings.replicate(topic);
        }
        return settings;
    }

    private ReplicatorSettings settings(String... topics) {
        return add(new ReplicatorSettings(sandbox, NAME), topics);
    }

    private void replace(String records) throws Exception {
        Path next = Files.writeString(folder.resolve("next.yaml"), records);
        Files.move(next, folder.resolve("replications.yaml"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static RecordsStatus records(Replicator replicator) {
        return replicator
                .main()
                .getCamelContext()
                .createProducerTemplate()
                .requestBody(
                        "replication:*?operation=status&by=records", null, RecordsStatus.class);
    }

    /** Puts records there and waits until they are in effect, and nothing is wrong with them. */
    private void change(Replicator replicator, String records) throws Exception {
        Instant loaded = records(replicator).loaded();
        replace(records);
        Awaitility.await("the new version")
                .atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(
                        () -> {
                            RecordsStatus now = records(replicator);
                            return now.loaded().isAfter(loaded) && now.warning() == null;
                        });
    }

    /** Rebalances of the one consumer at the local Kafka. */
    private static int rebalances() {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            double total = 0;
            for (ObjectName name :
                    server.queryNames(
                            new ObjectName(
                                    "kafka.consumer:type=consumer-coordinator-metrics,client-id="
                                            + NAME
                                            + "-customer-*"),
                            null)) {
                total += (Double) server.getAttribute(name, "rebalance-total");
            }
            return (int) total;
        } catch (javax.management.JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private Audit audit(Traffic traffic, String... topics) {
        List<Stored> stored = new ArrayList<>();
        for (String topic : topics) {
            stored.addAll(sandbox.readBack().both(sandbox.topicName(topic)));
        }
        return Audit.of(traffic.sent(), stored);
    }

    private void create(String... topics) {
        for (String topic : topics) {
            sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 2);
        }
    }

    @Test
    @Tag("case-R7")
    @DisplayName(
            "only what is changed restarts, nothing is lost, and a broken file changes nothing")
    void changes() throws Exception {
        create(STEADY, MOVED, GONE, LATE);
        sandbox.topics().create(sandbox.topicName(MOVED + "-2"), 2);
        try (LocalRecords late = new LocalRecords(sandbox, LATE)) {
            late.series(0, 0, 10);
        }
        try (Flow flow = new Flow(sandbox, STEADY, MOVED, GONE);
                Replicator replicator = Replicator.start(settings(STEADY, MOVED, GONE), folder)) {
            for (String id : List.of(STEADY, MOVED, GONE)) {
                replicator.awaitMessages(id, 200, LIMIT);
            }
            Instant since = replicator.status(STEADY).since();
            Route steady = replicator.main().getCamelContext().getRoute(STEADY);
            long read = replicator.status(MOVED).messages();
            int before = rebalances();

            change(replicator, settings(STEADY, MOVED, GONE, LATE).records());
            replicator.awaitMessages(LATE, 10, LIMIT);
            assertThat(rebalances() - before).as("rebalances of an added record").isBetween(1, 2);
            assertThat(replicator.status(MOVED).messages())
                    .as("counts on, untouched")
                    .isGreaterThanOrEqualTo(read);

            String version = records(replicator).version();
            replace("version: 1\nconnections: [");
            Awaitility.await("the warning")
                    .atMost(LIMIT)
                    .until(() -> records(replicator).warning() != null);
            assertThat(records(replicator).warning()).contains(":2:").contains("yaml-syntax");
            assertThat(records(replicator).version()).isEqualTo(version);

            String moved = settings(STEADY, MOVED, GONE, LATE).records();
            moved = moved.replace("serviceNowTopic: " + MOVED, "serviceNowTopic: " + MOVED + "-2");
            change(replicator, moved);
            replicator.awaitMessages(MOVED, 200, LIMIT);

            String without = moved.substring(0, moved.indexOf("      - id: " + GONE));
            change(replicator, without + moved.substring(moved.indexOf("      - id: " + LATE)));
            assertThat(replicator.main().getCamelContext().getRoute(GONE)).isNull();

            assertThat(replicator.status(STEADY).since()).isEqualTo(since);
            assertThat(replicator.main().getCamelContext().getRoute(STEADY)).isSameAs(steady);
            List<Traffic> sent = flow.end();
            replicator.awaitMessages(STEADY, sent.get(0).total(), LIMIT);
            Group group = new Group(sandbox, Side.LOCAL, settings().groupId());
            group.awaitCommitted(MOVED, sent.get(1).total());
            replicator.awaitState(STEADY, LinkState.RUNNING, LIMIT);
            // None for the moved one, unless its restart took longer than a second: then two.
            assertThat(rebalances() - before).isLessThanOrEqualTo(4);

            Audit untouched = audit(sent.get(0), STEADY);
            assertThat(untouched.lost()).isEmpty();
            assertThat(untouched.duplicates()).isZero();
            assertThat(untouched.disorders()).isEmpty();
            Audit changed = audit(sent.get(1), MOVED, MOVED + "-2");
            assertThat(changed.lost()).isEmpty();
            assertThat(changed.duplicates()).isZero();
            assertThat(sandbox.readBack().both(sandbox.topicName(MOVED + "-2"))).isNotEmpty();
            assertThat(sandbox.readBack().both(sandbox.topicName(GONE)))
                    .as("copied and committed until it was removed, and not after")
                    .hasSize((int) group.committedTotal(GONE))
                    .hasSizeLessThan(sent.get(2).total());
        }
    }

    private static final String ROWS = "instance-rows";

    private InstanceTables topic(InstanceTables instance, String topic, String active) {
        return instance.put(
                "sys_kafka_topic_replication",
                topic,
                "direction",
                "To ServiceNow",
                "topic_name",
                topic,
                "servicenow_topic",
                topic,
                "replication",
                ROWS,
                "active",
                active);
    }

    private ReplicatorSettings of(InstanceTables instance) {
        return new ReplicatorSettings(sandbox, ROWS)
                .set("camel.component.replication.records", "servicenow:" + instance.url())
                .set("camel.component.replication.serviceNowUser", "reader")
                .set("camel.component.replication.serviceNowPassword", "only-for-this-test")
                .set("camel.component.replication.serviceNowInterval", "500")
                .set("camel.component.replication.serviceNowWriteBack", "all")
                .set("camel.component.replication.metricsInterval", "1000")
                .set(
                        "camel.component.replication.serviceNowCache",
                        folder.resolve("cache.json").toString());
    }

    @Test
    @Tag("case-R7")
    @DisplayName(
            "rows of an instance change while messages flow; a start without it has the last ones")
    void instance() throws Exception {
        String steady = ROWS + "-steady";
        String late = ROWS + "-late";
        create(steady, late);
        try (InstanceTables instance = new InstanceTables();
                LocalRecords second = new LocalRecords(sandbox, late)) {
            second.series(0, 0, 10);
            instance.put(
                    "kafka_connection",
                    ROWS,
                    "name",
                    ROWS,
                    "connection_alias",
                    "",
                    "bootstrap_servers",
                    sandbox.bootstrap(Sandbox.Role.local),
                    "consumer_group_id",
                    "",
                    "additional_client_properties",
                    "",
                    "active",
                    "true");
            instance.put(
                    "sys_sc_message_replication",
                    ROWS,
                    "name",
                    "Rows",
                    "messaging_service_connection",
                    ROWS,
                    "application",
                    "",
                    "active",
                    "true");
            topic(instance, steady, "true");
            topic(instance, late, "false");
            Audit audit;
            try (Flow flow = new Flow(sandbox, steady)) {
                try (Replicator replicator = Replicator.start(of(instance), folder)) {
                    replicator.awaitMessages(steady, 200, LIMIT);
                    Route route = replicator.main().getCamelContext().getRoute(steady);
                    topic(instance, late, "true");
                    Awaitility.await("the new row")
                            .atMost(LIMIT)
                            .until(
                                    () ->
                                            replicator.main().getCamelContext().getRoute(late)
                                                    != null);
                    replicator.awaitMessages(late, 10, LIMIT);
                    assertThat(replicator.main().getCamelContext().getRoute(steady))
                            .isSameAs(route);
                    Awaitility.await("status and metrics of both at the instance")
                            .atMost(LIMIT)
                            .until(
                                    () ->
                                            instance.in("sys_sc_channel_replication_status").size()
                                                            == 2
                                                    && instance.in(
                                                                            "sys_sc_channel_replication_metric")
                                                                    .size()
                                                            > 2);
                    instance.away(true);
                    Awaitility.await("the outage is told")
                            .atMost(LIMIT)
                            .until(() -> records(replicator).warning() != null);
                    long read = replicator.status(steady).messages();
                    replicator.awaitMessages(steady, read + 100, LIMIT);
                }
                try (Replicator replicator = Replicator.start(of(instance), folder)) {
                    assertThat(records(replicator).store()).startsWith("from the cache ");
                    replicator.awaitMessages(steady, 100, LIMIT);
                    instance.away(false);
                    Awaitility.await("it is read again")
                            .atMost(LIMIT)
                            .until(() -> records(replicator).store().startsWith("live, "));
                    List<Traffic> sent = flow.end();
                    new Group(sandbox, Side.LOCAL, sandbox.instance() + "-consumer-" + ROWS)
                            .awaitCommitted(steady, sent.get(0).total());
                    audit = audit(sent.get(0), steady);
                }
            }
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.duplicates()).isZero();
            assertThat(audit.disorders()).isEmpty();
        }
    }
}
