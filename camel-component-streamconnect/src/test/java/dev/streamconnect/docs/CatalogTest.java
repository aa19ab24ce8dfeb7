package dev.streamconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.replication.ReplicationComponent;
import dev.streamconnect.docs.Documents.Text;
import dev.streamconnect.docs.EndpointUses.Use;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.catalog.CamelCatalog;
import org.apache.camel.catalog.ConfigurationPropertiesValidationResult;
import org.apache.camel.catalog.DefaultCamelCatalog;
import org.apache.camel.catalog.EndpointValidationResult;
import org.apache.camel.tooling.model.BaseOptionModel;
import org.apache.camel.tooling.model.ComponentModel;
import org.apache.camel.util.URISupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("case-R2")
@DisplayName("Camel's catalog, with both schemes in it, knows")
class CatalogTest {

    private static final CamelCatalog CATALOG = new DefaultCamelCatalog();

    private static final Pattern PROPERTY = Pattern.compile("(?m)^ *camel\\.");

    /** Type by name of Camel's own properties. */
    private static final Map<String, String> MAIN = new HashMap<>();

    /** An option of a component that prose names. */
    private static final Pattern OPTION =
            Pattern.compile("camel\\.component\\.(hermes|replication)\\.(\\w+)");

    @BeforeAll
    static void addBoth() throws IOException {
        add("hermes", HermesComponent.class);
        add("replication", ReplicationComponent.class);
        for (String of : List.of("main", "jbang")) {
            String metadata =
                    "org/apache/camel/catalog/%1$s/camel-%1$s-configuration-metadata.json";
            try (InputStream in =
                    CamelCatalog.class
                            .getClassLoader()
                            .getResourceAsStream(metadata.formatted(of))) {
                new ObjectMapper()
                        .readTree(in)
                        .get("properties")
                        .forEach(
                                property ->
                                        MAIN.put(
                                                property.get("name").asText(),
                                                property.get("type").asText()));
            }
        }
    }

    private static void add(String scheme, Class<?> component) throws IOException {
        String json = component.getPackageName().replace('.', '/') + "/" + scheme + ".json";
        try (InputStream in = component.getClassLoader().getResourceAsStream("META-INF/" + json)) {
            CATALOG.addComponent(
                    scheme,
                    component.getName(),
                    new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hermes", "replication"})
    @DisplayName("a component of that scheme, all of its options and headers described")
    void component(String scheme) {
        ComponentModel model = CATALOG.componentModel(scheme);
        assertThat(model.getScheme()).isEqualTo(scheme);
        assertThat(model.getTitle()).isNotBlank();
        assertThat(model.getDescription()).isNotBlank();
        assertThat(model.getSyntax()).startsWith(scheme + ":");
        assertThat(model.getArtifactId()).isEqualTo("camel-component-streamconnect");
        List<BaseOptionModel> all = new ArrayList<>(model.getComponentOptions());
        all.addAll(model.getEndpointOptions());
        all.addAll(model.getEndpointHeaders());
        assertThat(all)
                .hasSizeGreaterThan(40)
                .allSatisfy(
                        option -> {
                            assertThat(option.getDescription()).as(option.getName()).isNotBlank();
                            assertThat(option.getJavaType()).as(option.getName()).isNotBlank();
                        });
    }

    static Stream<Use> endpoints() throws Exception {
        List<Use> uses = new ArrayList<>();
        for (Text text : Documents.texts("yaml", "xml")) {
            uses.addAll(EndpointUses.in(text));
        }
        assertThat(uses).hasSizeGreaterThan(40);
        for (Path page : Documents.pages()) {
            uses.addAll(
                    EndpointUses.inProse(
                            Documents.ROOT.relativize(page).toString(), Files.readString(page)));
        }
        return uses.stream();
    }

    @ParameterizedTest
    @MethodSource("endpoints")
    @DisplayName("each endpoint of the routes, samples and pages")
    void endpoint(Use use) throws Exception {
        if (use.uri().startsWith("kamelet:hermes-")) {
            kamelet(use.uri());
            return;
        }
        boolean reads = Boolean.TRUE.equals(use.reads());
        boolean sends = Boolean.FALSE.equals(use.reads());
        EndpointValidationResult result =
                CATALOG.validateEndpointProperties(use.uri(), false, reads, sends);
        assertThat(result.isSuccess()).as("%s: %s", use, result.summaryErrorMessage(true)).isTrue();
    }

    private static void kamelet(String uri) throws Exception {
        Map<?, ?> definition = Kamelets.definition(uri.replaceFirst("kamelet:([\\w-]+).*", "$1"));
        Set<String> options = URISupport.parseQuery(uri.replaceFirst("[^?]*[?]?", "")).keySet();
        assertThat(((Map<?, ?>) definition.get("properties")).keySet().containsAll(options))
                .as(uri)
                .isTrue();
        assertThat(options.containsAll((List<?>) definition.get("required"))).as(uri).isTrue();
    }

    static Stream<Text> properties() throws IOException {
        return Documents.texts("properties").stream()
                .filter(text -> PROPERTY.matcher(text.content()).find());
    }

    @ParameterizedTest
    @MethodSource("properties")
    @DisplayName("each property of Camel in the samples and pages")
    void property(Text text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text.content()));
        assertThat(properties.stringPropertyNames())
                .as("%s", text)
                .filteredOn(name -> name.startsWith("camel."))
                .isNotEmpty()
                .allSatisfy(name -> property(name, properties.getProperty(name)));
    }

    private static void property(String name, String value) {
        ConfigurationPropertiesValidationResult result =
                CATALOG.validateConfigurationProperty(name + "=" + value);
        if (result.isAccepted()) {
            assertThat(result.isSuccess()).as("%s", result.summaryErrorMessage(true)).isTrue();
        } else {
            // Of the management server, the meters and the CLI: the catalog looks at none of them.
            assertThat(MAIN).containsKey(name);
            switch (MAIN.get(name)) {
                case "boolean" -> assertThat(value).as(name).matches("true|false|\\{\\{.*}}");
                case "integer" -> assertThat(value).as(name).matches("\\d+|\\{\\{.*}}");
                default -> assertThat(value).as(name).isNotBlank();
            }
        }
    }

    @Test
    @DisplayName("each option of the components that prose names")
    void named() throws IOException {
        for (Path page : Documents.pages()) {
            OPTION.matcher(Files.readString(page))
                    .results()
                    .forEach(
                            option ->
                                    assertThat(options(option.group(1)))
                                            .as(page.toString())
                                            .contains(option.group(2)));
        }
    }

    private static Set<String> options(String scheme) {
        return CATALOG.componentModel(scheme).getComponentOptions().stream()
                .map(BaseOptionModel::getName)
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hermes:alarms?groupid=audit",
                "hermes:alarms?delivery=later",
                "hermes:alarms?maxMessageBytes=many",
                "replication:orders-to-sn?operation=delete",
                "replication:orders-to-sn?failoverOrder=fast"
            })
    @DisplayName("no option that there is not, and no value that an option does not take")
    void unknown(String uri) {
        assertThat(CATALOG.validateEndpointProperties(uri).isSuccess()).isFalse();
    }
}
