package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("With steps between source and destination")
class EipIT {

    private static final int PARTITIONS = 3;
    private static final int MAX_UNCOMMITTED = 60;
    private static final Path TABLE = Path.of("..", "docs", "eips.md");

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    static Stream<EipCase> some() {
        return Stream.of(EipCase.split(), EipCase.threads());
    }

    static Stream<EipCase> all() {
        return EipCase.all().stream();
    }

    @ParameterizedTest
    @MethodSource("some")
    @DisplayName("nothing is lost by a kill, and each key keeps its order")
    void once(EipCase eip) {
        survives(eip, "", new KillRun(600, 600, 1), MAX_UNCOMMITTED);
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("fault")
    @DisplayName("the same, twice during 5,000 messages")
    void twice(EipCase eip) {
        survives(eip, "-twice", new KillRun(5_000, 1_000, 2), 4 * MAX_UNCOMMITTED);
    }

    private void survives(EipCase eip, String suffix, KillRun run, int maxUncommitted) {
        String topic = "eip-" + eip.name() + suffix;
        createTopics(topic);
        ReplicatorSettings settings =
                settings(topic, eip, maxUncommitted)
                        .connectionProperty("session.timeout.ms", "6000")
                        .connectionProperty("heartbeat.interval.ms", "1000");
        try (Traffic traffic = new Traffic(sandbox, topic, 20, sourceHeaders())) {
            run.run(sandbox, settings, folder, topic, traffic, eip.outputsPerMessage());
            List<Stored> arrived = sandbox.readBack().both(sandbox.topicName(topic));
            RoutedAudit audit = RoutedAudit.of(expected(eip, traffic), arrived);
            int bound = run.kills() * PARTITIONS * maxUncommitted;
            System.out.println(topic + ": " + audit + " bound=" + bound);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.unexpected()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.duplicates()).isLessThanOrEqualTo(bound);
            assertSamePartsAsSource(topic, arrived, eip);
        }
    }

    @Test
    @DisplayName("each step does to records what the table in the docs says")
    void asDocumented() throws Exception {
        List<EipCase> cases = EipCase.all();
        String name = "eip-table";
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, name);
        StringBuilder routes = new StringBuilder();
        for (EipCase eip : cases) {
            String topic = "eip-table-" + eip.name();
            createTopics(topic);
            settings.replicate(topic, "route: none");
            if (!eip.name().equals("handled")) {
                // onException at the top of a file is of all its routes
                routes.append(eip.yaml(topic));
            }
        }
        settings.routes(routes.toString());
        try (Replicator replicator = Replicator.start(settings, folder)) {
            for (EipCase eip : cases) {
                if (eip.name().equals("handled")) {
                    continue;
                }
                String topic = "eip-table-" + eip.name();
                try (Traffic traffic = new Traffic(sandbox, topic, 10, sourceHeaders())) {
                    traffic.send(100, 10_000);
                    Map<String, List<String>> expected = expected(eip, traffic);
                    int count = expected.values().stream().mapToInt(List::size).sum();
                    replicator.awaitMessages(topic, count, Duration.ofSeconds(60));
                    List<Stored> arrived = sandbox.readBack().all(Side.A, sandbox.topicName(topic));
                    RoutedAudit audit = RoutedAudit.of(expected, arrived);
                    assertThat(audit)
                            .as(eip.name())
                            .isEqualTo(new RoutedAudit(count, List.of(), List.of(), 0, List.of()));
                    assertSamePartsAsSource(topic, arrived, eip);
                }
                assertThat(documented()).as("rows of docs/eips.md").contains(eip.name());
            }
        }
    }

    @Test
    @DisplayName(
            "a template of the same id that the user declares takes the place of the shipped one")
    void ownTemplate() throws Exception {
        String topic = "eip-template";
        createTopics(topic);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .routes(
                                """
                                - routeTemplate:
                                    id: topic-replication
                                    parameters:
                                      - name: id
                                    from:
                                      uri: "replication:{{id}}"
                                      steps:
                                        - setHeader: { name: by, constant: "{{id}}" }
                                        - to: "replication:{{id}}"
                                """);
        try (Traffic traffic = new Traffic(sandbox, topic, 10, sourceHeaders());
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(30, 10_000);
            replicator.awaitMessages(topic, 30, Duration.ofSeconds(60));
            assertThat(sandbox.readBack().all(Side.A, sandbox.topicName(topic)))
                    .hasSize(30)
                    .allSatisfy(
                            record ->
                                    assertThat(text(record.headers()))
                                            .isEqualTo(EipCase.SOURCE_HEADERS + ",by=" + topic));
        }
    }

    // ---- what is expected

    private void createTopics(String topic) {
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
    }

    private ReplicatorSettings settings(String topic, EipCase eip, int maxUncommitted) {
        return new ReplicatorSettings(sandbox, topic)
                .replicate(topic, "route: none")
                .routes(eip.yaml(topic))
                .set("camel.component.replication.commitInterval", "5000")
                .set("camel.component.replication.maxUncommitted", String.valueOf(maxUncommitted));
    }

    private static Map<String, List<String>> expected(EipCase eip, Traffic traffic) {
        Map<String, List<String>> expected = new HashMap<>();
        traffic.sent()
                .forEach(
                        (key, count) -> {
                            List<String> values = new ArrayList<>();
                            for (int number = 0; number < count; number++) {
                                values.addAll(eip.outputs().apply(number));
                            }
                            expected.put(key, values);
                        });
        return expected;
    }

    /** Partition, timestamp and headers against the source message of the same key and number. */
    private void assertSamePartsAsSource(String topic, List<Stored> arrived, EipCase eip) {
        Map<String, Stored> sources = new HashMap<>();
        for (Stored source : sandbox.readBack().all(Side.LOCAL, topic)) {
            for (String value : eip.outputs().apply(Integer.parseInt(source.text()))) {
                sources.put(source.keyText() + "#" + value, source);
            }
        }
        assertThat(arrived)
                .allSatisfy(
                        record -> {
                            Stored source = sources.get(record.keyText() + "#" + record.text());
                            assertThat(record.partition()).isEqualTo(source.partition());
                            assertThat(record.timestamp()).isEqualTo(source.timestamp());
                            assertThat(text(record.headers()))
                                    .isEqualTo(eip.expectedHeaders(record.text()));
                        });
    }

    private static List<Header> sourceHeaders() {
        return Stream.of(EipCase.SOURCE_HEADERS.split(","))
                .map(header -> header.split("="))
                .map(
                        parts ->
                                (Header)
                                        new RecordHeader(
                                                parts[0],
                                                parts[1].getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    private static String text(List<Header> headers) {
        return headers.stream()
                .map(h -> h.key() + "=" + new String(h.value(), StandardCharsets.UTF_8))
                .collect(Collectors.joining(","));
    }

    /** The first column of the table in the docs, without backticks. */
    private static List<String> documented() throws IOException {
        return Files.readAllLines(TABLE).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
    }
}
