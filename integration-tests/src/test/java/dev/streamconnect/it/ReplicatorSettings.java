package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Configuration of a replicator for a sandbox, as a user would write it: an application.properties,
 * a records file, routes.
 */
final class ReplicatorSettings {

    private final Sandbox sandbox;
    private final Properties properties = new Properties();
    private final List<String> replications = new ArrayList<>();
    private final String connection;
    private final StringBuilder connectionProperties = new StringBuilder();
    private final StringBuilder connectionFields = new StringBuilder();
    private String bootstrap;
    private String routes = "";
    private String ownRecords;

    /**
     * @param name of the connection and the message replication: own names keep tests apart on a
     *     shared sandbox
     */
    ReplicatorSettings(Sandbox sandbox, String name) {
        this.sandbox = sandbox;
        this.connection = name;
        this.bootstrap = sandbox.bootstrap(Role.local);
        certificate(sandbox.certificate());
        set("camel.main.name", name);
        set("camel.main.shutdownTimeout", "15");
        set("camel.main.jmxEnabled", "false");
        set("camel.component.hermes.instance", sandbox.instance());
        set("camel.component.hermes.portBase", String.valueOf(sandbox.basePort()));
        set("camel.component.hermes.producerBootstrapServers", sandbox.bootstrap(Role.producer));
        set("camel.component.hermes.consumerABootstrapServers", sandbox.bootstrap(Role.consumerA));
        set("camel.component.hermes.consumerBBootstrapServers", sandbox.bootstrap(Role.consumerB));
    }

    ReplicatorSettings certificate(ClientCertificate certificate) {
        set("camel.component.hermes.keystore", certificate.keyStore().toString());
        set("camel.component.hermes.keystorePassword", certificate.password());
        set("camel.component.hermes.truststore", certificate.trustStore().toString());
        set("camel.component.hermes.truststorePassword", certificate.password());
        return this;
    }

    ReplicatorSettings set(String property, String value) {
        properties.setProperty(property, value);
        return this;
    }

    ReplicatorSettings without(String property) {
        properties.remove(property);
        return this;
    }

    /** The customer's Kafka at another address than the sandbox's public one. */
    ReplicatorSettings bootstrap(String servers) {
        bootstrap = servers;
        return this;
    }

    /** A further field of the connection, or several lines of it, without their indentation. */
    ReplicatorSettings connectionField(String... lines) {
        for (String line : lines) {
            connectionFields.append("    ").append(line).append('\n');
        }
        return this;
    }

    /** A further Kafka client property of the connection. */
    ReplicatorSettings connectionProperty(String name, Object value) {
        connectionProperties
                .append("      ")
                .append(name)
                .append(": \"")
                .append(value)
                .append("\"\n");
        return this;
    }

    /**
     * A topic replication to ServiceNow of a topic that has the same name there; its id is the
     * topic.
     */
    ReplicatorSettings replicate(String topic, String... more) {
        StringBuilder record = new StringBuilder();
        record.append("      - id: ").append(topic).append('\n');
        record.append("        direction: toServiceNow\n");
        record.append("        topicName: ").append(topic).append('\n');
        record.append("        serviceNowTopic: ").append(topic).append('\n');
        for (String line : more) {
            record.append("        ").append(line).append('\n');
        }
        replications.add(record.toString());
        return this;
    }

    /** A topic replication from ServiceNow; otherwise as {@link #replicate}. */
    ReplicatorSettings replicateFrom(String topic, String... more) {
        StringBuilder lines = new StringBuilder();
        for (String line : more) {
            lines.append("        ").append(line).append('\n');
        }
        replications.add(
                "      - id: "
                        + topic
                        + "\n        direction: fromServiceNow\n        topicName: "
                        + topic
                        + "\n        serviceNowTopic: "
                        + topic
                        + "\n"
                        + lines);
        return this;
    }

    /** YAML routes. */
    ReplicatorSettings routes(String yaml) {
        routes = yaml;
        return this;
    }

    /** The records file's text, whatever it is. */
    ReplicatorSettings records(String yaml) {
        ownRecords = yaml;
        return this;
    }

    String groupId() {
        return sandbox.instance() + "-consumer-" + connection;
    }

    String records() {
        return "version: 1\nconnections:\n  - id: "
                + connection
                + "\n    bootstrapServers: "
                + bootstrap
                + "\n"
                + connectionFields
                + (connectionProperties.isEmpty() ? "" : "    properties:\n")
                + connectionProperties
                + "messageReplications:\n  - name: "
                + connection
                + "\n    connection: "
                + connection
                + "\n    topicReplications:"
                + (replications.isEmpty() ? " []\n" : "\n" + String.join("", replications));
    }

    /** Writes the files; returns the application.properties. */
    Path writeTo(Path folder) {
        try {
            Files.createDirectories(folder);
            if (!replications.isEmpty() || ownRecords != null) {
                Path records = folder.resolve("replications.yaml");
                Files.writeString(records, ownRecords == null ? records() : ownRecords);
                properties.putIfAbsent("camel.component.replication.records", "file:" + records);
            }
            if (!routes.isEmpty()) {
                Path file = folder.resolve("routes.camel.yaml");
                Files.writeString(file, routes);
                set("camel.main.routesIncludePattern", "file:" + file);
            }
            Path application = folder.resolve("application.properties");
            try (Writer writer = Files.newBufferedWriter(application)) {
                properties.store(writer, null);
            }
            return application;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
