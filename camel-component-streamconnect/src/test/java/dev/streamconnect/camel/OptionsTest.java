package dev.streamconnect.camel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Each option of a component and its endpoints")
class OptionsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** Those that every component of Camel has. */
    private static final Set<String> CAMELS =
            Set.of(
                    "autowiredEnabled",
                    "bridgeErrorHandler",
                    "exceptionHandler",
                    "exchangePattern",
                    "lazyStartProducer");

    @ParameterizedTest
    @ValueSource(strings = {"hermes", "replication"})
    @DisplayName("is set by name in a test, beside this one")
    void tested(String scheme) throws IOException {
        String tests =
                text(
                        ".java",
                        ROOT.resolve("camel-component-streamconnect/src/test/java"),
                        ROOT.resolve("integration-tests/src/test/java"),
                        ROOT.resolve("samples/quickstart/src/test/java"));

        assertThat(
                        options(scheme).stream()
                                .filter(
                                        option ->
                                                !Pattern.compile(setting(option))
                                                        .matcher(tests)
                                                        .find()))
                .isEmpty();
    }

    /** A setter, a name in quotes, a parameter of a URI, or a property. */
    private static String setting(String option) {
        String capital = Character.toUpperCase(option.charAt(0)) + option.substring(1);
        return "\\b(set|is)"
                + capital
                + "\\(|\""
                + option
                + "[\"=]|[?&;]"
                + option
                + "=|\\."
                + option
                + "\\b|\\b"
                + option
                + ": ";
    }

    private static Set<String> options(String scheme) throws IOException {
        Set<String> all = new TreeSet<>();
        JsonNode model = model(scheme);
        model.get("componentProperties").fieldNames().forEachRemaining(all::add);
        model.get("properties").fieldNames().forEachRemaining(all::add);
        all.removeAll(CAMELS);
        assertThat(all).hasSizeGreaterThan(20);
        return all;
    }

    private static JsonNode model(String scheme) throws IOException {
        String name = "/META-INF/dev/streamconnect/camel/" + scheme + "/" + scheme + ".json";
        try (InputStream in = OptionsTest.class.getResourceAsStream(name)) {
            return new ObjectMapper().readTree(in);
        }
    }

    private static String text(String end, Path... folders) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(end))
                                .collect(Collectors.toList())) {
                    text.append(Files.readString(file));
                }
            }
        }
        return text.toString();
    }
}
