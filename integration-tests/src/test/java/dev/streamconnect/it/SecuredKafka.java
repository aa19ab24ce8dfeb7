package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;

/**
 * A Kafka broker in a process of its own, of the sandbox's libraries, that demands credentials. Its
 * certificate is for {@code localhost} alone.
 */
final class SecuredKafka implements AutoCloseable {

    /** What a port demands. */
    enum Port {
        /** Nothing; for the test itself, past all rights. */
        INTERNAL("PLAINTEXT"),
        /** A client certificate. */
        TLS("SSL"),
        /** A client certificate and any SASL mechanism. */
        SASL_TLS("SASL_SSL"),
        /** Any SASL mechanism. */
        SASL("SASL_PLAINTEXT"),
        /** SCRAM-SHA-512 alone. */
        SCRAM("SASL_PLAINTEXT");

        private final String protocol;

        Port(String protocol) {
            this.protocol = protocol;
        }

        private String listener() {
            return name().replace("_", "");
        }
    }

    static final List<String> MECHANISMS =
            List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER");

    private static final String MODULES = "org.apache.kafka.common.security.";
    private static final long START_SECONDS = 120;

    private final Map<Port, Integer> ports = new EnumMap<>(Port.class);
    private final Process process;
    private final Path log;

    private SecuredKafka(Path folder, Process process, Map<Port, Integer> ports) {
        this.log = folder.resolve("broker.log");
        this.process = process;
        this.ports.putAll(ports);
    }

    /**
     * Starts it; returns when it answers and knows the user.
     *
     * @param tls the broker's {@code ssl.*} properties
     * @param user who may log in by PLAIN and SCRAM
     * @param scope without which a token is not taken
     */
    static SecuredKafka start(
            Path folder, Map<String, String> tls, String user, String password, String scope)
            throws Exception {
        Map<Port, Integer> ports = new EnumMap<>(Port.class);
        int controller = freePort();
        for (Port port : Port.values()) {
            ports.put(port, freePort());
        }
        Properties properties = properties(folder, controller, ports);
        properties.putAll(tls);
        addSasl(properties, user, password, scope);
        Path file = folder.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
        Process format =
                launch(
                        folder,
                        "kafka.tools.StorageTool",
                        "format",
                        "--config",
                        file.toString(),
                        "--cluster-id",
                        Uuid.randomUuid().toString());
        if (!format.waitFor(START_SECONDS, TimeUnit.SECONDS) || format.exitValue() != 0) {
            throw new IllegalStateException(Files.readString(folder.resolve("broker.log")));
        }
        Process broker = launch(folder, "kafka.Kafka", file.toString());
        SecuredKafka started = new SecuredKafka(folder, broker, ports);
        Runtime.getRuntime().addShutdownHook(new Thread(broker::destroyForcibly));
        started.awaitUser(user, password);
        return started;
    }

    /** {@code localhost} and the port. */
    String bootstrap(Port port) {
        return "localhost:" + ports.get(port);
    }

    /** An address of the port that its certificate does not have. */
    String otherName(Port port) {
        return "127.0.0.1:" + ports.get(port);
    }

    /** A further user, by SCRAM-SHA-512 alone. */
    void addUser(Admin admin, String user, String password) throws Exception {
        admin.alterUserScramCredentials(
                        List.of(scram(user, ScramMechanism.SCRAM_SHA_512, password)))
                .all()
                .get();
    }

    Admin admin() {
        return Admin.create(
                Map.of(
                        "bootstrap.servers",
                        otherName(Port.INTERNAL),
                        "request.timeout.ms",
                        "10000",
                        "default.api.timeout.ms",
                        "15000"));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitUser(String user, String password) {
        Awaitility.await("the secured broker")
                .atMost(Duration.ofSeconds(START_SECONDS))
                .pollInterval(Duration.ofMillis(500))
                .ignoreExceptions()
                .untilAsserted(
                        () -> {
                            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
                            try (Admin admin = admin()) {
                                // A request takes a user once.
                                for (ScramMechanism each :
                                        List.of(
                                                ScramMechanism.SCRAM_SHA_256,
                                                ScramMechanism.SCRAM_SHA_512)) {
                                    admin.alterUserScramCredentials(
                                                    List.of(scram(user, each, password)))
                                            .all()
                                            .get(10, TimeUnit.SECONDS);
                                }
                            }
                        });
    }

    private static UserScramCredentialUpsertion scram(
            String user, ScramMechanism mechanism, String password) {
        return new UserScramCredentialUpsertion(
                user, new ScramCredentialInfo(mechanism, 4096), password);
    }

    private static Process launch(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dsandbox.log=" + folder.resolve("log4j.log"));
        command.addAll(List.of("-cp", System.getProperty("sandbox.home") + "/lib/*"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("broker.log").toFile()))
                .start();
    }

    private static Properties properties(Path folder, int controller, Map<Port, Integer> ports) {
        List<String> listeners = new ArrayList<>(List.of("CONTROLLER://127.0.0.1:" + controller));
        List<String> advertised = new ArrayList<>();
        List<String> protocols = new ArrayList<>(List.of("CONTROLLER:PLAINTEXT"));
        ports.forEach(
                (port, number) -> {
                    listeners.add(port.listener() + "://127.0.0.1:" + number);
                    advertised.add(port.listener() + "://localhost:" + number);
                    protocols.add(port.listener() + ":" + port.protocol);
                });
        Map<String, String> all = new HashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "31");
        all.put("controller.quorum.voters", "31@127.0.0.1:" + controller);
        all.put("controller.listener.names", "CONTROLLER");
        all.put("inter.broker.listener.name", "INTERNAL");
        all.put("listeners", String.join(",", listeners));
        all.put("advertised.listeners", String.join(",", advertised));
        all.put("listener.security.protocol.map", String.join(",", protocols));
        all.put("log.dirs", folder.resolve("data").toString());
        all.put("num.network.threads", "1");
        all.put("num.io.threads", "2");
        all.put("log.cleaner.dedupe.buffer.size", "2097152");
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        all.put("allow.everyone.if.no.acl.found", "true");
        all.put("super.users", "User:ANONYMOUS");
        Properties properties = new Properties();
        properties.putAll(all);
        return properties;
    }

    private static void addSasl(Properties properties, String user, String password, String scope) {
        for (Port port : List.of(Port.TLS, Port.SASL_TLS)) {
            properties.put(prefix(port) + "ssl.client.auth", "required");
        }
        for (Port port : List.of(Port.SASL_TLS, Port.SASL, Port.SCRAM)) {
            List<String> enabled = port == Port.SCRAM ? List.of("SCRAM-SHA-512") : MECHANISMS;
            properties.put(prefix(port) + "sasl.enabled.mechanisms", String.join(",", enabled));
            for (String mechanism : enabled) {
                properties.put(
                        prefix(port) + mechanism.toLowerCase() + ".sasl.jaas.config",
                        switch (mechanism) {
                            case "PLAIN" ->
                                    MODULES
                                            + "plain.PlainLoginModule required user_"
                                            + user
                                            + "=\""
                                            + password
                                            + "\";";
                            case "OAUTHBEARER" ->
                                    MODULES
                                            + "oauthbearer.OAuthBearerLoginModule required"
                                            + " unsecuredLoginStringClaim_sub=\"broker\""
                                            + " unsecuredValidatorRequiredScope=\""
                                            + scope
                                            + "\";";
                            default -> MODULES + "scram.ScramLoginModule required;";
                        });
            }
        }
    }

    private static String prefix(Port port) {
        return "listener.name." + port.listener().toLowerCase() + ".";
    }

    /** Below those that outgoing connections take. */
    private static int freePort() {
        Random random = new Random();
        for (int i = 0; i < 1000; i++) {
            int port = 20_000 + random.nextInt(12_000);
            try (ServerSocket socket =
                    new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // taken
            }
        }
        throw new IllegalStateException("no free port");
    }
}
