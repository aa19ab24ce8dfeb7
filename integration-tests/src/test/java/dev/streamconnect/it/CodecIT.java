package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-F20")
@DisplayName("A codec whose native code can't be loaded")
class CodecIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private void fill(String topic, String codec) {
        sandbox.topics().create(Side.LOCAL, topic, 2, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 2);
        try (LocalRecords records =
                new LocalRecords(sandbox, topic, Map.of("compression.type", codec))) {
            for (int i = 0; i < 200; i++) {
                records.send(
                        i % 2,
                        null,
                        "k",
                        "the same again".repeat(20).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static JsonNode status(ReplicatorProcess replicator, String id) {
        for (JsonNode each : replicator.status()) {
            if (each.get("id").asText().equals(id)) {
                return each;
            }
        }
        throw new IllegalStateException("no status of " + id);
    }

    private static Duration cpu(ReplicatorProcess replicator) {
        return replicator.handle().info().totalCpuDuration().orElseThrow();
    }

    @Test
    @DisplayName(
            "is FAILED with codec and temp folder, without a spin, and beside it the others go on")
    void noTempFolder() throws IOException {
        String zstd = "codec-zstd";
        String plain = "codec-plain";
        fill(zstd, "zstd");
        fill(plain, "gzip");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "codec").replicate(zstd).replicate(plain);
        // Below a file, so that nobody can make it: snappy would.
        Path nowhere = Files.writeString(folder.resolve("file"), "").resolve("nowhere");
        try (ReplicatorProcess replicator =
                ReplicatorProcess.start(settings, folder, List.of("-Djava.io.tmpdir=" + nowhere))) {
            awaitFailed(replicator, zstd, "zstd", nowhere);
            assertThat(status(replicator, zstd).get("reason").asText()).contains("topic " + zstd);
            Awaitility.await("the others go on")
                    .atMost(LIMIT)
                    .until(() -> status(replicator, plain).get("messages").asLong() == 200);
            try (LocalRecords records = new LocalRecords(sandbox, plain)) {
                records.put(0, "k", "more");
            }
            Awaitility.await("the others still go on")
                    .atMost(LIMIT)
                    .until(() -> status(replicator, plain).get("messages").asLong() == 201);
            Duration before = cpu(replicator);
            Awaitility.await("some seconds")
                    .during(Duration.ofSeconds(5))
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> status(replicator, zstd).get("state").asText().equals("FAILED"));
            Duration used = cpu(replicator).minus(before);
            System.out.printf("5 s beside a topic that can't be read: %s of CPU%n", used);
            assertThat(used).as("no spin").isLessThan(Duration.ofSeconds(4));
            assertThat(replicator.output().lines().filter(line -> line.contains("compressed with")))
                    .as("one line")
                    .hasSize(1);
        }
        assertThat(sandbox.readBack().both(sandbox.topicName(zstd))).isEmpty();
        assertFlows(settings, zstd);
    }

    @Test
    @DisplayName("and that ends the whole client is FAILED, too, and nothing is skipped")
    void endsTheClient() throws Exception {
        String snappy = "codec-snappy";
        fill(snappy, "snappy");
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, snappy).replicate(snappy);
        Path nowhere = Files.writeString(folder.resolve("file"), "").resolve("nowhere");
        try (ReplicatorProcess replicator =
                ReplicatorProcess.start(settings, folder, List.of("-Djava.io.tmpdir=" + nowhere))) {
            awaitFailed(replicator, snappy, "snappy", nowhere);
        }
        assertThat(sandbox.readBack().both(sandbox.topicName(snappy))).isEmpty();
        assertFlows(settings, snappy);
    }

    private static void awaitFailed(
            ReplicatorProcess replicator, String topic, String codec, Path folder) {
        Awaitility.await(topic + " is FAILED")
                .atMost(LIMIT)
                .until(() -> status(replicator, topic).get("state").asText().equals("FAILED"));
        String reason = status(replicator, topic).get("reason").asText();
        System.out.println(reason);
        assertThat(reason)
                .contains("compressed with " + codec, folder + " (not there)", "-Djava.io.tmpdir");
    }

    /** After a restart with a temp folder. */
    private void assertFlows(ReplicatorSettings settings, String topic) {
        try (ReplicatorProcess mended = ReplicatorProcess.start(settings, folder)) {
            Awaitility.await(topic + " flows")
                    .atMost(LIMIT)
                    .until(() -> status(mended, topic).get("messages").asLong() == 200);
            assertThat(sandbox.readBack().both(sandbox.topicName(topic)))
                    .hasSize(200)
                    .extracting(Stored::keyText)
                    .containsOnly("k");
        }
    }
}
