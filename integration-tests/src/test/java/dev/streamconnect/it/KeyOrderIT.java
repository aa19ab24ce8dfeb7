package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("fault")
@DisplayName("Messages that only the broker refuses, with retries, kills and a broker's restart")
class KeyOrderIT {

    private static final int PARTITIONS = 4;
    private static final int KEYS = 1_000;
    private static final int MESSAGES = 20_000;
    private static final int KILLS = 5;
    private static final int LIMIT_BYTES = 20_000;
    private static final int LARGE_BYTES = 25_000;
    private static final int LARGE_EVERY = 50;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private Audit run(String topic, String ordering) throws Exception {
        String full = sandbox.topicName(topic);
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics()
                .create(full, PARTITIONS, Map.of("max.message.bytes", String.valueOf(LIMIT_BYTES)));
        ClientCertificate blind = sandbox.issue(CertificateWish.named(topic).acl("none"));
        sandbox.grantTopic(topic, full, "READ,WRITE,DESCRIBE");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .certificate(blind)
                        .connectionProperty("session.timeout.ms", "6000")
                        .connectionProperty("heartbeat.interval.ms", "1000")
                        // The broker's limit is one of batches: below it they are not split.
                        .set("camel.component.hermes.producerProperties[batch.size]", "16384")
                        .set("camel.component.replication.ordering", ordering)
                        .set("camel.component.replication.maxUncommitted", "500")
                        .set(
                                "camel.component.replication.undeliveredUrl",
                                folder.resolve("undelivered").toString())
                        .set("camel.component.replication.retryInterval", "500")
                        .set("camel.component.replication.undeliveredRetryInitial", "300")
                        .set("camel.component.replication.undeliveredRetryMax", "2000")
                        .set("camel.component.replication.undeliveredMaxAttempts", "0");
        try (Traffic traffic = new Traffic(sandbox, topic, KEYS).large(LARGE_EVERY, LARGE_BYTES)) {
            new KillRun(MESSAGES, 1_000, KILLS).run(sandbox, settings, folder, topic, traffic, 0.5);
            try (ReplicatorProcess replicator = ReplicatorProcess.start(settings, folder)) {
                sandbox.restartBroker(Side.A, 0);
                for (Side side : new Side[] {Side.A, Side.B}) {
                    sandbox.topics().configure(side, full, Map.of("max.message.bytes", "1000000"));
                }
                Awaitility.await("everything arrives")
                        .atMost(Duration.ofSeconds(180))
                        .pollInterval(Duration.ofSeconds(2))
                        .until(
                                () ->
                                        Audit.of(traffic.sent(), sandbox.readBack().both(full))
                                                .lost()
                                                .isEmpty());
            }
            Audit audit = Audit.of(traffic.sent(), sandbox.readBack().both(full));
            System.out.println(topic + ": " + audit);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.delivered()).isEqualTo(MESSAGES);
            return audit;
        }
    }

    private int rows() {
        try (UndeliveredDatabase database =
                UndeliveredDatabase.embedded(folder.resolve("undelivered"))) {
            return database.undeliveredStore(StoreLimits.DEFAULT)
                    .list(RowSelector.ALL, 0, 10)
                    .size();
        }
    }

    @Test
    @Tag("case-U1")
    @DisplayName("nothing is lost, and first deliveries of each key keep its order")
    void ordered() throws Exception {
        assertThat(run("key-order", "key").disorders()).isEmpty();
        assertThat(rows()).isZero();
    }

    @Test
    @DisplayName("without order per key nothing is lost either, and the order is")
    void unordered() throws Exception {
        assertThat(run("key-no-order", "none").disorders()).isNotEmpty();
    }
}
