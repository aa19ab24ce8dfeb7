package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The KAR in a real Apache Karaf that has nothing else: the way of docs/karaf.md. */
@Tag("karaf")
class KarafIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
    private static final String ORDERS = "karaf-orders";
    private static final String BEATS = "karaf-beats";
    private static final int COUNT = 300;

    private static final String ROUTES =
            """
            - route:
                id: states
                from:
                  uri: timer:states
                  parameters:
                    period: 1000
                  steps:
                    - to: replication:*?operation=status&json=true
                    - log: "states ${body}"
            - route:
                id: beat
                from:
                  uri: timer:beat
                  parameters:
                    repeatCount: 1
                  steps:
                    - setBody:
                        constant: alive
                    - to: hermes:karaf-beats
                    - log: "beat sent"
            """;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    @Test
    @DisplayName("replicates, keeps what is refused, stops on SIGTERM and goes on after a restart")
    void replicatesFromTheKar() throws Exception {
        String destination = sandbox.topicName(ORDERS);
        sandbox.topics().create(Side.LOCAL, ORDERS, 1, Map.of());
        sandbox.topics().create(destination, 1, Map.of("max.message.bytes", "100000"));
        sandbox.topics().create(sandbox.topicName(BEATS), 1);
        try (LocalRecords records = new LocalRecords(sandbox, ORDERS);
                KarafProcess karaf =
                        KarafProcess.prepare(distribution(), folder.resolve("karaf"))) {
            ReplicatorSettings settings = configure(karaf);
            karaf.deploy(kar());
            records.put(0, null, "large", "x".repeat(200_000).getBytes(StandardCharsets.UTF_8));
            records.series(0, 0, COUNT);

            karaf.start();
            karaf.awaitLog("beat sent");

            PlainClients clients = new PlainClients(sandbox);
            assertThat(clients.values(Role.consumerA, destination, COUNT))
                    .isEqualTo(numbers(COUNT));
            assertThat(clients.values(Role.consumerA, sandbox.topicName(BEATS), 1))
                    .containsExactly("alive");
            karaf.awaitLog("\"state\":\"DEGRADED\"");
            assertThat(activeBundles(karaf))
                    .contains(
                            "dev.streamconnect.camel-component-streamconnect",
                            "dev.streamconnect.camel-streamconnect-karaf");
            new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCommitted(ORDERS, COUNT + 1L);
            assertThat(karaf.terminate(STOP_LIMIT)).as("stopped\n%s", karaf.log()).isTrue();
            assertThat(karaf.log()).doesNotContain("has not stopped within");
            assertThat(rows(karaf))
                    .singleElement()
                    .satisfies(row -> assertThat(row.message().reason()).isEqualTo(Reason.SIZE));

            for (Side side : List.of(Side.A, Side.B)) {
                sandbox.topics()
                        .configure(side, destination, Map.of("max.message.bytes", "1000000"));
            }
            records.series(0, COUNT, 10);
            karaf.start();
            Awaitility.await("what waited, and what came while it was away")
                    .atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(delivered(destination)).hasSize(COUNT + 10 + 1));
            assertThat(karaf.terminate(STOP_LIMIT)).as("stopped\n%s", karaf.log()).isTrue();
            assertThat(ProcessHandle.of(karaf.pid())).isEmpty();
            assertThat(rows(karaf)).isEmpty();
        }
    }

    private ReplicatorSettings configure(KarafProcess karaf) throws IOException {
        Path configuration = karaf.home().resolve("etc/streamconnect");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "karaf")
                        .replicate(ORDERS)
                        .set(
                                "camel.component.replication.undeliveredUrl",
                                database(karaf).toString())
                        .set("camel.component.replication.undeliveredRetryInitial", "1")
                        .set("camel.component.replication.retryInterval", "1000");
        settings.writeTo(configuration);
        Files.writeString(configuration.resolve("own.camel.yaml"), ROUTES);
        return settings;
    }

    private static Path database(KarafProcess karaf) {
        return karaf.home().resolve("data/streamconnect/undelivered");
    }

    /** Symbolic names. */
    private static List<String> activeBundles(KarafProcess karaf) throws Exception {
        List<String> active = new ArrayList<>();
        for (String line : karaf.command("bundle:list -s -t 0 --no-format").split("\n")) {
            String[] columns = line.strip().split("\\s*[\\t│|]\\s*");
            if (columns.length == 5 && columns[1].equals("Active")) {
                active.add(columns[4]);
            }
        }
        return active;
    }

    private static List<StoredMessage> rows(KarafProcess karaf) {
        try (UndeliveredDatabase database = UndeliveredDatabase.embedded(database(karaf))) {
            return database.undeliveredStore(StoreLimits.DEFAULT).list(RowSelector.ALL, 0, 10);
        }
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, topic).stream().map(ReadBack.Stored::text).toList();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).toList();
    }

    private static Path kar() throws IOException {
        return only(Path.of("..", "karaf-features", "target"), "camel-streamconnect-karaf-*.kar");
    }

    private static Path distribution() throws IOException {
        return only(Path.of("target", "karaf"), "apache-karaf-*");
    }

    private static Path only(Path folder, String pattern) throws IOException {
        var matcher = folder.getFileSystem().getPathMatcher("glob:" + pattern);
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> matcher.matches(file.getFileName())).toList();
            assertThat(found).as(pattern + " in " + folder.toAbsolutePath()).hasSize(1);
            return found.get(0).toAbsolutePath();
        }
    }
}
