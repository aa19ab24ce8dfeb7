package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Contexts that follow each other in one JVM")
class TwiceInOneJvmIT {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** Of every kind: moved batches, a route of its own, a built one from ServiceNow, hermes:. */
    private static final String ROUTES =
            """
            - route:
                id: twice-own
                from:
                  uri: replication:twice-own
                  steps:
                    - filter:
                        simple: "${body} != null"
                        steps:
                          - to: replication:twice-own
            - route:
                id: twice-hermes
                from:
                  uri: hermes:twice-up
                  parameters:
                    groupId: twice-hermes
                  steps:
                    - to: hermes:twice-copy
            """;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @DisplayName("leave no thread, client, bean or lock, and the next goes on where one stopped")
    void twice() throws Throwable {
        for (String topic : List.of("twice-up", "twice-own", "twice-down")) {
            sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
            sandbox.topics().create(sandbox.topicName(topic), 2);
        }
        sandbox.topics().create(sandbox.topicName("twice-copy"), 2);
        Set<Thread> threads = threads();
        Set<ObjectName> beans = beans();
        for (int round = 1; round <= 2; round++) {
            send(round);
            try (Replicator replicator = Replicator.start(settings(), folder)) {
                awaitDelivered(round);
                replicator.awaitMessages("twice-up", 1, LIMIT);
                assertThat(beans()).as("clients").hasSizeGreaterThan(beans.size() + 5);
                assertThat(isFree(database())).as("the database's file").isFalse();
            }
            assertThat(isFree(database())).as("the database's file").isTrue();
            assertThat(beans()).isSubsetOf(beans);
            Awaitility.await("threads end")
                    .atMost(LIMIT)
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(since(threads)).isEmpty());
        }
    }

    private ReplicatorSettings settings() {
        return new ReplicatorSettings(sandbox, "twice")
                .replicate("twice-up")
                .replicate("twice-own", "route: none")
                .replicateFrom("twice-down")
                .routes(ROUTES)
                .set("camel.component.replication.undeliveredUrl", file().toString());
    }

    private Path file() {
        return folder.resolve("undelivered");
    }

    private Path database() {
        return folder.resolve("undelivered.mv.db");
    }

    private void send(int round) throws Throwable {
        PlainClients clients = new PlainClients(sandbox);
        try (KafkaProducer<String, String> local = clients.localProducer();
                KafkaProducer<String, String> hermes = clients.producer()) {
            PlainClients.send(local, "twice-up", "up " + round);
            PlainClients.send(local, "twice-own", "own " + round);
            PlainClients.send(hermes, sandbox.topicName("twice-down"), "down " + round);
        }
    }

    /** What was sent in each round so far, each once. */
    private void awaitDelivered(int rounds) {
        awaitDelivered(Side.A, sandbox.topicName("twice-up"), "up ", rounds);
        awaitDelivered(Side.A, sandbox.topicName("twice-own"), "own ", rounds);
        awaitDelivered(Side.LOCAL, "twice-down", "down ", rounds);
        awaitDelivered(Side.A, sandbox.topicName("twice-copy"), "up ", rounds);
    }

    private void awaitDelivered(Side side, String topic, String text, int rounds) {
        Awaitility.await(topic)
                .atMost(LIMIT)
                .untilAsserted(
                        () ->
                                assertThat(sandbox.readBack().all(side, topic))
                                        .extracting(ReadBack.Stored::text)
                                        .containsExactlyInAnyOrderElementsOf(
                                                Stream.iterate(1, i -> i + 1)
                                                        .limit(rounds)
                                                        .map(round -> text + round)
                                                        .toList()));
    }

    // ---- what is in this JVM

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    /** Threads that came since, with what they do. */
    private static List<String> since(Set<Thread> before) {
        return threads().stream()
                .filter(thread -> !before.contains(thread) && !isOfAsynchronousFiles(thread))
                .map(thread -> thread + " " + Arrays.toString(thread.getStackTrace()))
                .toList();
    }

    /**
     * The JVM's one pool for asynchronous file channels, which H2 uses: daemons that end after a
     * minute without work; Java 25 calls them innocuous. Threads of the component and of Kafka have
     * names.
     */
    private static boolean isOfAsynchronousFiles(Thread thread) {
        return thread.isDaemon() && thread.getName().matches("(Innocuous)?Thread-\\d+");
    }

    private static Set<ObjectName> beans() {
        return ManagementFactory.getPlatformMBeanServer().queryNames(null, null);
    }

    /** Whether nobody has a lock on the file, this JVM included. */
    private static boolean isFree(Path file) throws IOException {
        assertThat(Files.size(file)).isPositive();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }
}
