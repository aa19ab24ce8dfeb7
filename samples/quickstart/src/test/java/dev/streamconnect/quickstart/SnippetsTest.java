package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.replication.ReplicationComponent;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.DevelopmentStores;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.RecordsReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@DisplayName("The code blocks of the README files and guides")
class SnippetsTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^ *```(yaml|properties|bash|xml)\\n(.*?)^ *```$");
    private static final Pattern PROFILE = Pattern.compile("-P(\\S+)");

    private static final String PASSWORD = "only-for-this-test";

    private static DevelopmentStores stores;

    @TempDir private static Path written;

    @BeforeAll
    static void makeStores(@TempDir Path folder) throws Exception {
        Clock clock = Clock.systemUTC();
        CertificateAuthority authority =
                CertificateAuthority.create(
                        HermesSubject.authority("acme-ca", "acme"),
                        Validity.of(clock.instant(), Duration.ofDays(1)));
        stores =
                DevelopmentStores.ensure(
                        folder,
                        new LocalCertificateIssuer(authority, Duration.ofHours(1), clock),
                        "acme",
                        "snippets",
                        PASSWORD.toCharArray());
    }

    /** A block of a document. */
    private record Snippet(Path file, int number, String language, String text) {}

    @TestFactory
    Stream<DynamicTest> work() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (String file :
                List.of(
                        "README.md",
                        "CONTRIBUTING.md",
                        "samples/app/README.md",
                        "samples/jbang/README.md",
                        "samples/quickstart/README.md",
                        "docs/from-mid-server.md",
                        "docs/nodes.md")) {
            snippets.addAll(read(ROOT.resolve(file)));
        }
        // Routes of the one use components that are not here; DocumentedInstanceTest has the other.
        for (String file : List.of("docs/operations.md", "docs/servicenow-records.md")) {
            read(ROOT.resolve(file)).stream()
                    .filter(snippet -> !snippet.language().equals("yaml"))
                    .forEach(snippets::add);
        }
        assertThat(snippets).hasSizeGreaterThan(8);
        return snippets.stream()
                .map(
                        snippet ->
                                dynamicTest(
                                        "%s, block %d (%s)"
                                                .formatted(
                                                        ROOT.relativize(snippet.file()),
                                                        snippet.number(),
                                                        snippet.language()),
                                        () -> check(snippet)));
    }

    private static List<Snippet> read(Path file) throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        Matcher block = BLOCK.matcher(Files.readString(file));
        while (block.find()) {
            snippets.add(new Snippet(file, snippets.size() + 1, block.group(1), block.group(2)));
        }
        return snippets;
    }

    private static void check(Snippet snippet) throws Exception {
        switch (snippet.language()) {
            case "yaml" -> {
                if (snippet.text().startsWith("version:")) {
                    records(snippet.text());
                } else if (snippet.text().startsWith("apiVersion:")) {
                    kubernetes(snippet.text());
                } else {
                    routes(snippet.text());
                }
            }
            case "properties" -> {
                if (snippet.text().startsWith("logger.")) {
                    log4j(snippet.text());
                } else {
                    properties(snippet.text());
                }
            }
            case "xml" -> {
                if (snippet.text().startsWith("<logger ")) {
                    logback(snippet.text());
                } else {
                    dependency(snippet.text());
                }
            }
            case "bash" -> {
                for (String line : snippet.text().strip().split("\n")) {
                    command(snippet.file(), line.strip());
                }
            }
            default -> throw new IllegalStateException(snippet.language());
        }
    }

    private static void records(String text) {
        assertThat(
                        new RecordsReader(same -> same, Optional.of(HermesInstance.of("acme")))
                                .read(
                                        new ByteArrayInputStream(
                                                text.getBytes(StandardCharsets.UTF_8)),
                                        "README")
                                .topicReplications())
                .isNotEmpty();
    }

    /** A pod has time for its stop, and its probes are there. */
    private static void kubernetes(String text) throws IOException {
        Matcher grace = Pattern.compile("terminationGracePeriodSeconds: (\\d+)").matcher(text);
        assertThat(grace.find()).isTrue();
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            assertThat(Long.parseLong(grace.group(1)))
                    .isGreaterThan(context.getShutdownStrategy().getTimeout());
        }
        String app = Files.readString(ROOT.resolve("samples/app/README.md"));
        String properties =
                Files.readString(ROOT.resolve("samples/app/conf/application.properties"));
        Matcher path = Pattern.compile("path: (\\S+)\\s+port: (\\d+)").matcher(text);
        int probes = 0;
        for (; path.find(); probes++) {
            assertThat(app).contains("curl http://localhost:" + path.group(2) + path.group(1));
        }
        assertThat(probes).isEqualTo(2);
        Matcher variable = Pattern.compile("name: ([A-Z_]+)").matcher(text);
        while (variable.find()) {
            assertThat(properties).contains("{{env:" + variable.group(1));
        }
    }

    private static void routes(String text) throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.setAutoStartup(false);
            context.getPropertiesComponent()
                    .addOverrideProperty("local.bootstrap", "localhost:9092");
            HermesComponent hermes = context.getComponent("hermes", HermesComponent.class);
            hermes.getConfiguration().setInstance("acme");
            // A client is made for a route's producer even so; it wants a name that resolves.
            hermes.getConfiguration().setProducerBootstrapServers("localhost:4000");
            hermes.getConfiguration().setKeystore(stores.keyStore().toString());
            hermes.getConfiguration().setKeystorePassword(PASSWORD);
            hermes.getConfiguration().setTruststore(stores.trustStore().toString());
            hermes.getConfiguration().setTruststorePassword(PASSWORD);
            ReplicationComponent replication =
                    context.getComponent("replication", ReplicationComponent.class);
            replication.setRecords("file:replications.yaml");
            replication.setBuildRoutes(false);
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(ResourceHelper.fromString("snippet.yaml", text));
            context.start();
            assertThat(context.getRoutes()).isNotEmpty();
            assertThat(context.getEndpoints()).isNotEmpty();
        }
    }

    private static void properties(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        assertThat(properties.stringPropertyNames())
                .isNotEmpty()
                .allSatisfy(
                        name -> {
                            String[] parts = name.split("\\.");
                            assertThat(parts).hasSize(4).startsWith("camel", "component");
                            assertThat(options(parts[2]).has(parts[3])).as(name).isTrue();
                        });
    }

    /** Those that the samples have. */
    private static void log4j(String text) throws Exception {
        for (String file :
                List.of(
                        "samples/quickstart/log4j2.properties",
                        "samples/app/conf/log4j2.properties")) {
            assertThat(kafkaLevels(Files.readString(ROOT.resolve(file))))
                    .as(file)
                    .hasSizeGreaterThan(5)
                    .isEqualTo(kafkaLevels(text));
        }
    }

    /** Level by logger of Kafka. */
    private static Map<String, String> kafkaLevels(String text) throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        Map<String, String> levels = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            String name = properties.getProperty(key);
            if (key.matches("logger\\.\\w+\\.name") && name.startsWith("org.apache.kafka")) {
                levels.put(name, properties.getProperty(key.replace(".name", ".level")));
            }
        }
        return levels;
    }

    private static void logback(String text) throws Exception {
        Map<String, String> levels = new TreeMap<>();
        NodeList loggers =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(
                                new InputSource(
                                        new StringReader(
                                                "<configuration>" + text + "</configuration>")))
                        .getElementsByTagName("logger");
        for (int i = 0; i < loggers.getLength(); i++) {
            Element logger = (Element) loggers.item(i);
            levels.put(
                    logger.getAttribute("name"),
                    logger.getAttribute("level").toLowerCase(Locale.ROOT));
        }
        assertThat(levels)
                .isEqualTo(
                        kafkaLevels(
                                Files.readString(
                                        ROOT.resolve("samples/quickstart/log4j2.properties"))));
    }

    /** The component, in the version of the poms. */
    private static void dependency(String text) throws IOException {
        String parent = Files.readString(ROOT.resolve("pom.xml"));
        String component = Files.readString(ROOT.resolve("camel-component-streamconnect/pom.xml"));
        String app = Files.readString(ROOT.resolve("samples/app/pom.xml"));
        assertThat(element(text, "groupId")).isEqualTo(element(parent, "groupId"));
        assertThat(component).contains("<artifactId>" + element(text, "artifactId") + "<");
        assertThat(element(text, "version"))
                .isEqualTo(element(parent, "version"))
                .isEqualTo(element(app, "streamconnect.version"));
        Matcher version = Pattern.compile("<((?!streamconnect)\\w+\\.version)>").matcher(app);
        int versions = 0;
        for (; version.find(); versions++) {
            String name = version.group(1);
            assertThat(element(app, name)).as(name).isEqualTo(element(parent, name));
        }
        assertThat(versions).isGreaterThan(5);
    }

    private static String element(String xml, String name) {
        Matcher element = Pattern.compile("<%1$s>(.*?)</%1$s>".formatted(name)).matcher(xml);
        assertThat(element.find()).as(name).isTrue();
        return element.group(1);
    }

    private static JsonNode options(String component) throws IOException {
        String catalog =
                "/META-INF/dev/streamconnect/camel/%s/%s.json".formatted(component, component);
        try (InputStream in = SnippetsTest.class.getResourceAsStream(catalog)) {
            return new ObjectMapper().readTree(in).get("componentProperties");
        }
    }

    private static void command(Path file, String line) throws Exception {
        if (line.startsWith("mvn ")) {
            maven(line);
        } else if (line.contains("command.Main preflight ")) {
            // PreflightIT runs it.
            assertThat(Files.readString(ROOT.resolve("docs/preflight.md"))).contains(line);
        } else if (line.contains("dev.streamconnect.command.Main ")) {
            validate(file, line);
        } else if (line.startsWith("camel ")) {
            // JBangIT runs it.
            assertThat(Files.readString(ROOT.resolve("samples/jbang/README.md"))).contains(line);
        } else if (line.startsWith("java ")) {
            Class.forName(line.replaceFirst("^java .*?(dev\\.\\S+).*$", "$1"));
        } else {
            // KcatIT, SampleAppIT and JBangIT run these lines
            assertThat(line)
                    .matches(
                            "(curl |cd |cp -r samples/app |jar xf |sh replicator/bin/|export HERMES_|echo hello \\| kcat |echo \"[^\"]+\" \\| java ).*");
        }
    }

    private static void maven(String line) throws IOException {
        String pom = Files.readString(ROOT.resolve("pom.xml"));
        Matcher profile = PROFILE.matcher(line);
        while (profile.find()) {
            assertThat(pom).contains("<id>" + profile.group(1) + "</id>");
        }
        if (line.contains(" -pl ")) {
            String module = line.replaceFirst(".* -pl (\\S+).*", "$1");
            assertThat(pom).contains("<module>" + module + "</module>");
        }
    }

    private static void validate(Path file, String line) throws IOException {
        Path folder = file.getParent();
        if (folder.endsWith("docs")) {
            // The records that the page itself shows.
            folder = written;
            Files.writeString(folder.resolve("replications.yaml"), read(file).get(0).text());
        }
        List<String> arguments = new ArrayList<>();
        for (String argument : line.replaceFirst(".*command\\.Main ", "").split(" ")) {
            arguments.add(
                    argument.endsWith(".yaml") ? folder.resolve(argument).toString() : argument);
        }
        int exitCode =
                dev.streamconnect.command.Main.commandLine()
                        .execute(arguments.toArray(String[]::new));
        assertThat(exitCode).as(line).isZero();
    }
}
