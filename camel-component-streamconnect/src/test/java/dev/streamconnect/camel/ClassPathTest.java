package dev.streamconnect.camel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Only in the modules of compatibility, whose dependencies it checks. */
@EnabledIfSystemProperty(named = "compat.line", matches = ".+")
@DisplayName("On another Camel")
class ClassPathTest {

    private static final String LINE = System.getProperty("compat.line");
    private static final Pattern CAMEL = Pattern.compile("camel-[a-z0-9-]+?-(\\d+\\..+)\\.jar");

    @Test
    @DisplayName("the component is the jar that was packaged")
    void jar() throws Exception {
        assertThat(
                        Path.of(
                                ContextEngine.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI()))
                .isRegularFile();
    }

    @Test
    @DisplayName("every jar of Camel is of the line that is meant")
    void line() throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            assertThat(context.getVersion()).startsWith(LINE);
        }
        List<String> versions =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> CAMEL.matcher(Path.of(entry).getFileName().toString()))
                        .filter(name -> name.matches() && !name.group().contains("streamconnect"))
                        .map(name -> name.group())
                        .toList();
        assertThat(versions).hasSizeGreaterThan(20);
        assertThat(versions).allMatch(name -> name.contains("-" + LINE));
    }
}
