package dev.streamconnect.benchmark.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What a contender is to do")
class ContenderSettingsTest {

    @TempDir Path folder;

    @Test
    @DisplayName("reaches its process by a file")
    void file() throws Exception {
        ContenderSettings settings =
                new ContenderSettings(
                        true,
                        "localhost:1",
                        "localhost:2",
                        List.of("a", "b"),
                        List.of("snc.acme.a", "snc.acme.b"),
                        "run1",
                        folder,
                        Map.of("max.poll.records", "4000"),
                        Map.of("acks", "all"),
                        Map.of("hermes.maxMessageBytes", "1024"));
        settings.save(folder.resolve("settings"));
        assertThat(ContenderSettings.load(folder.resolve("settings"))).isEqualTo(settings);
    }
}
