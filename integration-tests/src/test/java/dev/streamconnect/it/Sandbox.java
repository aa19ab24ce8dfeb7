package dev.streamconnect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A local Hermes in a process of its own, on free ports. {@link #shared()} is for all tests that
 * leave it as they found it (own topic names, faults healed); others {@link #start} one of their
 * own.
 */
public final class Sandbox implements AutoCloseable {

    /** A cluster of the sandbox. */
    public enum Side {
        A,
        B,
        LOCAL
    }

    /** A kind of public port. */
    public enum Role {
        producer,
        consumerA,
        consumerB,
        local
    }

    /** How connections are ended. */
    public enum Cut {
        rst,
        fin,
        none
    }

    private static Sandbox shared;

    private final SandboxProcess process;
    private final Path folder;
    private final boolean ownFolder;
    private final JsonNode description;
    private final SandboxControl control;

    private Sandbox(SandboxProcess process, Path folder, boolean ownFolder) {
        this.process = process;
        this.folder = folder;
        this.ownFolder = ownFolder;
        try {
            this.description = new ObjectMapper().readTree(folder.resolve("sandbox.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.control = new SandboxControl(description.get("control").asText());
    }

    /** The one sandbox of this JVM with one broker a side, started at the first call. */
    public static synchronized Sandbox shared() {
        if (shared == null) {
            Sandbox started = start(SandboxOptions.defaults());
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            shared = started;
        }
        return shared;
    }

    /** Starts a sandbox that the caller closes, in a temporary folder that goes with it. */
    public static Sandbox start(SandboxOptions options) {
        try {
            return start(options, Files.createTempDirectory("hermes-sandbox"), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a sandbox in a folder that stays. */
    public static Sandbox start(SandboxOptions options, Path folder) {
        return start(options, folder, false);
    }

    private static Sandbox start(SandboxOptions options, Path folder, boolean ownFolder) {
        List<String> arguments = new ArrayList<>(options.arguments());
        arguments.add("--free-ports");
        try {
            SandboxProcess process = SandboxProcess.launch(folder, arguments);
            process.awaitReady();
            return new Sandbox(process, folder, ownFolder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- addresses and files

    public String instance() {
        return description.get("instance").asText();
    }

    /** The principal of the default certificate. */
    public String client() {
        return description.get("client").asText();
    }

    /** First producer port; the consumers' are 100 and 200 above it. */
    public int basePort() {
        return description.get("basePort").asInt();
    }

    /** Bootstrap servers of a role's four front ports. */
    public String bootstrap(Role role) {
        return description.get(role + "Bootstrap").asText();
    }

    /** Plain text bootstrap servers of a cluster, past the gateway and the ACLs. */
    public String internalBootstrap(Side side) {
        return description.get("clusters").get(side.name()).get("internalBootstrap").asText();
    }

    public String clusterId(Side side) {
        return description.get("clusters").get(side.name()).get("id").asText();
    }

    public Path folder() {
        return folder;
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    /** The files and password of the default client. */
    public ClientCertificate certificate() {
        return new ClientCertificate(folder, password());
    }

    /** The password of all stores. */
    public String password() {
        try {
            return Files.readString(Path.of(description.get("passwordFile").asText())).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@code snc.<instance>.<name>}. */
    public String topicName(String name) {
        return "snc." + instance() + "." + name;
    }

    public long pid() {
        return process.pid();
    }

    // ---- control

    public SandboxControl control() {
        return control;
    }

    public JsonNode status() {
        return control.status();
    }

    /** The producer ports move to the other side; their connections are reset. */
    public void failOver() {
        failOver(Cut.rst);
    }

    public void failOver(Cut cut) {
        control.post("/failover", Map.of("cut", cut));
    }

    public void failOver(Side to, Cut cut) {
        control.post("/failover", Map.of("to", to, "cut", cut));
    }

    /** Only one producer port moves to the other side than its present one. */
    public void halfFailOver(int portIndex) {
        control.post("/failover", Map.of("port", portIndex));
    }

    /** The producer ports lead to A again and all faults end; brokers are not started. */
    public void restore() {
        heal();
        control.post("/failover", Map.of("to", Side.A, "cut", Cut.rst));
    }

    /** Connections are refused; present ones are reset. */
    public void down(Role role) {
        control.post("/down", Map.of("role", role));
    }

    /** Connections to one port of the role are refused; present ones are reset. */
    public void down(Role role, int portIndex) {
        control.post("/down", Map.of("role", role, "port", portIndex));
    }

    /** Connections are accepted and reset. */
    public void reset(Role role) {
        control.post("/reset", Map.of("role", role));
    }

    /** All bytes vanish, of present and new connections. */
    public void blackHole(Role role) {
        control.post("/blackhole", Map.of("role", role, "flows", "all"));
    }

    /** All bytes of one port of the role vanish, of present and new connections. */
    public void blackHole(Role role, int portIndex) {
        control.post("/blackhole", Map.of("role", role, "port", portIndex, "flows", "all"));
    }

    /** All bytes of the present connections vanish for good; new ones work. */
    public void killConnections(Role role) {
        control.post("/blackhole", Map.of("role", role, "flows", "existing"));
    }

    /** Every byte is held back, in each direction. */
    public void delay(Role role, Duration delay) {
        control.post("/delay", Map.of("role", role, "ms", delay.toMillis()));
    }

    /** The same for one port of the role. */
    public void delay(Role role, int portIndex, Duration delay) {
        control.post("/delay", Map.of("role", role, "port", portIndex, "ms", delay.toMillis()));
    }

    /** Ends the present connections. Returns how many there were. */
    public int cut(Role role, Cut cut) {
        return control.post("/cut", Map.of("role", role, "cut", cut))
                .get("connectionsEnded")
                .asInt();
    }

    /** Ends the faults of a role's ports. */
    public void heal(Role role) {
        control.post("/heal", Map.of("role", role));
    }

    /** Ends the faults of all ports. */
    public void heal() {
        control.post("/heal", Map.of());
    }

    public void stopBroker(Side side, int index) {
        control.post("/broker/stop", Map.of("cluster", side, "index", index));
    }

    public void startBroker(Side side, int index) {
        control.post("/broker/start", Map.of("cluster", side, "index", index));
    }

    public void restartBroker(Side side, int index) {
        control.post("/broker/restart", Map.of("cluster", side, "index", index));
    }

    /**
     * The broker comes back at another address.
     *
     * @param advertise which port of its ranges it tells clients, from 0
     */
    public void restartBroker(Side side, int index, int advertise) {
        control.post(
                "/broker/restart", Map.of("cluster", side, "index", index, "advertise", advertise));
    }

    /** Adds a right on both sides; a star at the end of the topic makes it a prefix. */
    public void grantTopic(String principal, String topic, String operations) {
        control.post(
                "/acl/grant",
                Map.of("principal", principal, "topic", topic, "operations", operations));
    }

    /** Adds a right to a consumer group on both sides. */
    public void grantGroup(String principal, String group, String operations) {
        control.post(
                "/acl/grant",
                Map.of("principal", principal, "group", group, "operations", operations));
    }

    /** Takes all rights of a principal on both sides. */
    public void revokeAll(String principal) {
        control.post("/acl/revoke", Map.of("principal", principal));
    }

    /** Takes all rights of a principal to a topic on both sides. */
    public void revokeTopic(String principal, String topic) {
        control.post("/acl/revoke", Map.of("principal", principal, "topic", topic));
    }

    /** Makes a further client certificate. */
    public ClientCertificate issue(CertificateWish wish) {
        JsonNode answer = control.post("/certificates", wish.parameters());
        return new ClientCertificate(Path.of(answer.get("folder").asText()), password());
    }

    /**
     * Starts the brokers of both sides again with other stores.
     *
     * @param server who signs their certificate: own, next
     * @param trust whose clients they take: own, both, next
     */
    public void authorities(String server, String trust) {
        control.post("/authorities", Map.of("server", server, "trust", trust));
    }

    /** Topics, on the sides or the local Kafka. */
    public SandboxTopics topics() {
        return new SandboxTopics(this);
    }

    /** Reads topics back, past gateway and ACLs. */
    public ReadBack readBack() {
        return new ReadBack(this);
    }

    @Override
    public void close() {
        process.close();
        if (ownFolder) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
