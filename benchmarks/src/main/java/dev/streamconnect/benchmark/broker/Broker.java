package dev.streamconnect.benchmark.broker;

import dev.streamconnect.benchmark.process.ChildProcess;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import dev.streamconnect.sandbox.gateway.Role;
import dev.streamconnect.sandbox.gateway.Target;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/** One broker (KRaft, broker and controller in one) with Kafka's own defaults. */
public final class Broker implements AutoCloseable {

    /** As kafka-server-start.sh has them. */
    static final List<String> JVM =
            List.of(
                    "-Xmx1g",
                    "-Xms1g",
                    "-XX:+UseG1GC",
                    "-XX:MaxGCPauseMillis=20",
                    "-XX:InitiatingHeapOccupancyPercent=35",
                    "-XX:+ExplicitGCInvokesConcurrent",
                    "-Dlog4j2.configurationFile=classpath:benchmark-log4j2.properties");

    private static final Duration FORMAT_LIMIT = Duration.ofSeconds(60);
    private static final int START_SECONDS = 60;
    private static final long DELAY_MILLIS = 50;

    private final String name;
    private final Map<Listener, Integer> ports = new EnumMap<>(Listener.class);
    private final Map<String, String> clientTls;
    private final GatewayPort delay;
    private final ChildProcess process;
    private final Admin admin;

    private Broker(
            String name,
            Map<Listener, Integer> ports,
            Map<String, String> clientTls,
            GatewayPort delay,
            ChildProcess process) {
        this.name = name;
        this.ports.putAll(ports);
        this.clientTls = clientTls;
        this.delay = delay;
        this.process = process;
        this.admin =
                Admin.create(
                        Map.of(
                                "bootstrap.servers",
                                bootstrap(Listener.PLAIN),
                                "client.id",
                                "benchmark-" + name));
    }

    /**
     * Formats an empty data folder, starts the broker, and returns when it answers.
     *
     * @param classPath Kafka's libraries and this module
     * @param folder for its data, settings and log
     */
    static Broker start(String name, List<String> classPath, Path folder, TlsFiles tls)
            throws Exception {
        Files.createDirectories(folder);
        int controller = freePort();
        int delayed = freePort();
        Map<Listener, Integer> ports = new EnumMap<>(Listener.class);
        for (Listener listener : Listener.values()) {
            ports.put(listener, freePort());
        }
        Path settings = folder.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(settings)) {
            properties(folder.resolve("data"), controller, delayed, ports, tls).store(writer, null);
        }
        Path log = folder.resolve("broker.log");
        try (ChildProcess format =
                ChildProcess.start(
                        JVM,
                        classPath,
                        List.of(
                                "kafka.tools.StorageTool",
                                "format",
                                "-t",
                                Uuid.randomUuid().toString(),
                                "-c",
                                settings.toString()),
                        log)) {
            if (format.awaitEnd(FORMAT_LIMIT) != 0) {
                throw new IllegalStateException("the storage was not formatted; see " + log);
            }
        }
        GatewayPort delay = GatewayPort.bind(Role.LOCAL, 0, ports.get(Listener.DELAYED));
        delay.delay(DELAY_MILLIS);
        delay.start(new Target(name, new InetSocketAddress("127.0.0.1", delayed)));
        ChildProcess process =
                ChildProcess.start(
                        JVM,
                        classPath,
                        List.of(BrokerMain.class.getName(), settings.toString()),
                        log);
        Broker broker = new Broker(name, ports, tls.client(), delay, process);
        try {
            broker.awaitAnswer();
            return broker;
        } catch (Exception e) {
            broker.close();
            throw new IllegalStateException("broker " + name + " did not start; see " + log, e);
        }
    }

    private void awaitAnswer() throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            try {
                admin.describeCluster().nodes().get(5, TimeUnit.SECONDS);
                return;
            } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw new IllegalStateException("no answer", e);
                }
            }
        }
    }

    /** Bootstrap servers. */
    public String bootstrap(Listener listener) {
        return "localhost:" + ports.get(listener);
    }

    /** What a client has to know beside the address. */
    public Map<String, String> clientSecurity(Listener listener) {
        return listener == Listener.MTLS ? clientTls : Map.of();
    }

    /** For topics and offsets; goes past TLS and delay. */
    public Admin admin() {
        return admin;
    }

    /** Its name, for people. */
    public String name() {
        return name;
    }

    /** Consumed CPU, nanoseconds. */
    public long cpuNanos() {
        return process.cpuNanos();
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
        delay.close();
        process.close();
    }

    private static Properties properties(
            Path data, int controller, int delayed, Map<Listener, Integer> ports, TlsFiles tls) {
        StringBuilder listeners = new StringBuilder("CONTROLLER://127.0.0.1:" + controller);
        StringBuilder advertised = new StringBuilder();
        StringBuilder protocols = new StringBuilder("CONTROLLER:PLAINTEXT");
        ports.forEach(
                (listener, port) -> {
                    int own = listener == Listener.DELAYED ? delayed : port;
                    listeners.append(",").append(listener).append("://127.0.0.1:").append(own);
                    advertised
                            .append(advertised.isEmpty() ? "" : ",")
                            .append(listener)
                            .append("://localhost:")
                            .append(port);
                    protocols.append(",").append(listener).append(":").append(listener.protocol());
                });
        Properties all = new Properties();
        all.setProperty("process.roles", "broker,controller");
        all.setProperty("node.id", "1");
        all.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controller);
        all.setProperty("controller.listener.names", "CONTROLLER");
        all.setProperty("listeners", listeners.toString());
        all.setProperty("advertised.listeners", advertised.toString());
        all.setProperty("listener.security.protocol.map", protocols.toString());
        all.setProperty("inter.broker.listener.name", Listener.PLAIN.name());
        all.setProperty("log.dirs", data.toString());
        all.setProperty("offsets.topic.replication.factor", "1");
        all.setProperty("offsets.topic.num.partitions", "1");
        all.setProperty("transaction.state.log.replication.factor", "1");
        all.setProperty("transaction.state.log.min.isr", "1");
        all.setProperty("group.initial.rebalance.delay.ms", "0");
        all.setProperty("auto.create.topics.enable", "false");
        all.setProperty("message.max.bytes", "10485760");
        // What was measured is deleted soon, so that the disk does not become what is measured.
        all.setProperty("log.retention.check.interval.ms", "2000");
        all.setProperty("log.segment.delete.delay.ms", "500");
        tls.broker().forEach(all::setProperty);
        return all;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
