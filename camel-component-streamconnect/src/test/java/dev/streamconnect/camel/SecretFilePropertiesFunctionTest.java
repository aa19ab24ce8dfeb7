package dev.streamconnect.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFilePropertiesFunctionTest {

    @TempDir Path folder;

    @Test
    @DisplayName("Camel finds it by its name; a file is read without the line break at its end")
    void reads() throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), "hush: {x} \n");
        try (CamelContext context = new DefaultCamelContext()) {
            assertThat(context.resolvePropertyPlaceholders("a{{secretFile:" + file + "}}b"))
                    .isEqualTo("ahush: {x} b");
            Files.writeString(file, "one\ntwo\n");
            assertThat(context.resolvePropertyPlaceholders("{{secretFile:" + file + "}}"))
                    .isEqualTo("one\ntwo");
            assertThatThrownBy(
                            () ->
                                    context.resolvePropertyPlaceholders(
                                            "{{secretFile:" + folder.resolve("none") + "}}"))
                    .hasStackTraceContaining("there is no file '" + folder.resolve("none") + "'");
            assertThatThrownBy(
                            () ->
                                    context.resolvePropertyPlaceholders(
                                            "{{secretFile:" + folder + "}}"))
                    .hasStackTraceContaining("there is no file");
        }
    }
}
