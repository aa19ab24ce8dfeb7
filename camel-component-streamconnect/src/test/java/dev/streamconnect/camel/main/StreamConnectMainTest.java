package dev.streamconnect.camel.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamConnectMainTest {

    @TempDir Path folder;

    @Test
    @DisplayName("a missing folder of routes is one line with the option")
    void noRoutes() throws Exception {
        Path routes = folder.resolve("conf/routes");
        Path properties =
                Files.writeString(
                        folder.resolve("application.properties"),
                        "camel.main.routesIncludePattern = file:" + routes + "/*.yaml\n");
        ByteArrayOutputStream errors = new ByteArrayOutputStream();

        int code =
                StreamConnectMain.run(
                        new Main(),
                        new String[] {properties.toString()},
                        new PrintStream(errors, true, StandardCharsets.UTF_8));

        assertThat(code).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "not started: camel.main.routesIncludePattern: there is no folder "
                                + routes
                                + "; make it, or correct the pattern");
    }
}
