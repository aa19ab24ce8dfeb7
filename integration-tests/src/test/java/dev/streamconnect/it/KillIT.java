package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("When the replicator is killed without warning")
class KillIT {

    private static final int PARTITIONS = 4;
    private static final int MAX_UNCOMMITTED = 500;

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private void survives(String topic, KillRun run) {
        sandbox.topics().create(Side.LOCAL, topic, PARTITIONS, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), PARTITIONS);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .connectionProperty("session.timeout.ms", "6000")
                        .connectionProperty("heartbeat.interval.ms", "1000")
                        .set(
                                "camel.component.replication.maxUncommitted",
                                String.valueOf(MAX_UNCOMMITTED))
                        .set("camel.component.replication.commitInterval", "5000");
        try (Traffic traffic = new Traffic(sandbox, topic, 40)) {
            run.run(sandbox, settings, folder, topic, traffic, 1);
            Audit audit =
                    Audit.of(traffic.sent(), sandbox.readBack().both(sandbox.topicName(topic)));
            int bound = run.kills() * PARTITIONS * MAX_UNCOMMITTED;
            System.out.println(topic + ": " + audit + " bound=" + bound);
            assertThat(audit.lost()).isEmpty();
            assertThat(audit.disorders()).isEmpty();
            assertThat(audit.delivered()).isEqualTo(run.messages());
            assertThat(audit.duplicates()).isLessThanOrEqualTo(bound);
        }
    }

    @Test
    @DisplayName("nothing is lost, and duplicates are what waited for its commit at most")
    void twice() {
        survives("kill-twice", new KillRun(10_000, 2_500, 2));
    }

    @Test
    @Tag("fault")
    @DisplayName("the same, ten times during 100,000 messages")
    void tenTimes() {
        survives("kill-ten", new KillRun(100_000, 4_000, 10));
    }
}
