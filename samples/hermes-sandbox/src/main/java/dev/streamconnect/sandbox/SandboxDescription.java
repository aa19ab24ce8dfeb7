package dev.streamconnect.sandbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.streamconnect.certificate.OwnerOnlyFiles;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.client.Bootstrap;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code sandbox.json} says: all that another process needs to use this sandbox. */
final class SandboxDescription {

    private final Map<String, Object> content = new LinkedHashMap<>();
    private final Bootstrap bootstrap;
    private final LocalHermes hermes;

    private SandboxDescription(LocalHermes hermes) {
        this.hermes = hermes;
        this.bootstrap = hermes.bootstrap();
    }

    static SandboxDescription of(
            SandboxOptions options, SandboxFolder folder, LocalHermes hermes, int controlPort) {
        SandboxDescription description = new SandboxDescription(hermes);
        Map<String, Object> content = description.content;
        content.put("pid", ProcessHandle.current().pid());
        content.put("instance", options.instance);
        content.put("client", options.client);
        content.put("host", options.host);
        content.put("basePort", hermes.gateway().ports(Role.PRODUCER).get(0).port());
        content.put("brokersPerSide", options.brokersPerSide);
        content.put("producerBootstrap", hermes.bootstrap().producer());
        content.put("consumerABootstrap", hermes.bootstrap().consumerA());
        content.put("consumerBBootstrap", hermes.bootstrap().consumerB());
        content.put("localBootstrap", hermes.bootstrap().local());
        content.put("control", "http://127.0.0.1:" + controlPort);
        Map<String, Object> clusters = new LinkedHashMap<>();
        for (ClusterName name : ClusterName.values()) {
            SandboxCluster cluster = hermes.cluster(name);
            clusters.put(
                    name.name(),
                    Map.of("id", cluster.id(), "internalBootstrap", cluster.internalBootstrap()));
        }
        content.put("clusters", clusters);
        content.put("folder", folder.root().toString());
        content.put("passwordFile", folder.passwordFile().toString());
        content.put("log", folder.log().toString());
        return description;
    }

    void write(Path file) throws IOException {
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        OwnerOnlyFiles.write(file, json.writeValueAsBytes(content));
    }

    /** A table for people. */
    String table() {
        StringBuilder text = new StringBuilder();
        line(text, "Hermes of instance " + bootstrap.instance(), "");
        line(text, "  producers, near side", ports(Role.PRODUCER));
        line(text, "  consumers, side A", ports(Role.CONSUMER_A));
        line(text, "  consumers, side B", ports(Role.CONSUMER_B));
        line(text, "local Kafka, plain text", bootstrap.local());
        line(text, "control", String.valueOf(content.get("control")));
        line(text, "client files", String.valueOf(content.get("folder")));
        line(text, "password of the stores in", String.valueOf(content.get("passwordFile")));
        line(text, "log", String.valueOf(content.get("log")));
        return text.toString();
    }

    private String ports(Role role) {
        List<GatewayPort> ports = hermes.gateway().ports(role);
        return content.get("host")
                + " "
                + ports.stream()
                        .map(port -> String.valueOf(port.port()))
                        .collect(Collectors.joining(" "));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append("%-28s %s".formatted(name, value).stripTrailing()).append('\n');
    }
}
