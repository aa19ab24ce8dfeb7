package dev.streamconnect.benchmark.contender;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.apache.camel.main.Main;

/**
 * This project as users run it: Camel Main, a records file, and for single messages a route of
 * one's own. Its clients have their defaults, which the other contenders are given, too.
 */
final class ReplicationRoute implements Contender {

    private static final String INSTANCE = "acme";
    private static final String PREFIX = "snc." + INSTANCE + ".";

    /** Options that are not for this contender. */
    private static final String OTHERS = "kafka.";

    /** Names of client properties of TLS that options of {@code hermes:} stand for. */
    private static final Map<String, String> TLS_OPTIONS =
            Map.of(
                    "ssl.keystore.location", "keystore",
                    "ssl.keystore.password", "keystorePassword",
                    "ssl.truststore.location", "truststore",
                    "ssl.truststore.password", "truststorePassword");

    private final ContenderKind kind;

    ReplicationRoute(ContenderKind kind) {
        this.kind = kind;
    }

    @Override
    public AutoCloseable start(ContenderSettings settings) throws Exception {
        Path folder = settings.folder();
        Path records = folder.resolve("replications.yaml");
        Files.writeString(records, records(settings));
        Properties application = hermes(settings);
        application.setProperty("camel.main.name", settings.group());
        application.setProperty("camel.component.replication.records", "file:" + records);
        if (kind != ContenderKind.BATCH) {
            Path routes = folder.resolve("routes.camel.yaml");
            Files.writeString(routes, routes(settings));
            application.setProperty("camel.main.routesIncludePattern", "file:" + routes);
        }
        settings.options()
                .forEach(
                        (name, value) -> {
                            if (!name.startsWith(OTHERS)) {
                                application.setProperty("camel.component." + name, value);
                            }
                        });
        Main main = new Main();
        main.setDefaultPropertyPlaceholderLocation("file:" + saved(application, folder));
        main.start();
        return main::stop;
    }

    private static Properties hermes(ContenderSettings settings) {
        Map<String, String> client =
                settings.toHermes() ? settings.producer() : settings.consumer();
        String bootstrap = settings.toHermes() ? settings.destination() : settings.source();
        Properties properties = new Properties();
        String hermes = "camel.component.hermes.";
        properties.setProperty(hermes + "instance", INSTANCE);
        properties.setProperty(hermes + "sides", "A");
        properties.setProperty(hermes + "anyPorts", "true");
        properties.setProperty(
                hermes + (settings.toHermes() ? "producer" : "consumerA") + "BootstrapServers",
                bootstrap);
        if ("SSL".equals(client.get("security.protocol"))) {
            TLS_OPTIONS.forEach(
                    (name, option) -> properties.setProperty(hermes + option, client.get(name)));
        } else {
            for (String role : new String[] {"producer", "consumer"}) {
                properties.setProperty(
                        hermes + role + "Properties[security.protocol]", "PLAINTEXT");
            }
        }
        return properties;
    }

    private String records(ContenderSettings settings) {
        StringBuilder text = new StringBuilder();
        text.append("version: 1\nconnections:\n  - id: ").append(settings.group());
        text.append("\n    bootstrapServers: ")
                .append(settings.toHermes() ? settings.source() : settings.destination());
        text.append("\nmessageReplications:\n  - name: benchmark\n    connection: ")
                .append(settings.group())
                .append("\n    topicReplications:\n");
        for (int i = 0; i < settings.sourceTopics().size(); i++) {
            String source = settings.sourceTopics().get(i);
            String destination = settings.destinationTopics().get(i);
            text.append("      - id: ")
                    .append(ContenderSettings.id(i))
                    .append("\n        direction: ");
            text.append(settings.toHermes() ? "toServiceNow" : "fromServiceNow");
            text.append("\n        topicName: ").append(settings.toHermes() ? source : destination);
            text.append("\n        serviceNowTopic: ")
                    .append(shortName(settings.toHermes() ? destination : source));
            text.append(kind == ContenderKind.BATCH ? "\n" : "\n        route: none\n");
        }
        return text.toString();
    }

    private static String shortName(String topic) {
        return topic.substring(PREFIX.length());
    }

    private String routes(ContenderSettings settings) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < settings.sourceTopics().size(); i++) {
            text.append("- route:\n    from:\n      uri: replication:")
                    .append(ContenderSettings.id(i));
            text.append("\n      steps:\n");
            String to = "- to: replication:" + ContenderSettings.id(i) + "\n";
            if (kind == ContenderKind.FILTER) {
                text.append("        - filter:\n            simple: \"${header.")
                        .append(BenchmarkHeaders.KIND)
                        .append("} == '")
                        .append(BenchmarkHeaders.KIND_VALUE)
                        .append("'\"\n            steps:\n              ")
                        .append(to);
            } else {
                text.append("        ").append(to);
            }
        }
        return text.toString();
    }

    private static Path saved(Properties application, Path folder) throws IOException {
        Path file = folder.resolve("application.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            application.store(writer, null);
        }
        return file;
    }
}
