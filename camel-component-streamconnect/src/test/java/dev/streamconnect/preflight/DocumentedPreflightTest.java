package dev.streamconnect.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/preflight.md")
class DocumentedPreflightTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([A-Za-z ]+) \\|");

    @Test
    @DisplayName("lists the stages in their order")
    void stages() throws IOException {
        String page = Files.readString(Path.of("../docs/preflight.md"));
        List<String> documented =
                ROW.matcher(page.substring(page.indexOf("\n## Stages\n")))
                        .results()
                        .map(row -> row.group(1))
                        .skip(1)
                        .toList();
        assertThat(documented).isEqualTo(Arrays.stream(Stage.values()).map(Stage::label).toList());
    }

    @Test
    @DisplayName("names the limits that hold")
    void limits() throws IOException {
        String page = Files.readString(Path.of("../docs/preflight.md"));
        assertThat(page)
                .contains(
                        "no answer within " + Limits.DEFAULT.connect().toSeconds() + " s, no route",
                        "no answer within " + Limits.DEFAULT.answer().toSeconds() + " s |",
                        "answers within " + Limits.DEFAULT.group().toSeconds() + " s",
                        "acknowledged within " + Limits.DEFAULT.cluster().toSeconds() + " s");
        assertThat(Limits.DEFAULT.total().toSeconds()).isEqualTo(60);
    }
}
