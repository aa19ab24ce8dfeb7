package dev.streamconnect.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * An Apache Karaf of the test's own, as a process: free ports, no repository but its own, so that
 * nothing gets in but what the test puts there.
 */
final class KarafProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(240);

    /** Lines after which there is nothing to wait for. */
    private static final List<String> FAILURES = List.of("not started:", "Unable to install Kar");

    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(180);

    private final Path home;
    private final int sshPort;
    private final int rmiRegistryPort;
    private final int rmiServerPort;
    private Process process;
    private long logBefore;

    private KarafProcess(Path home, List<Integer> ports) {
        this.home = home;
        this.sshPort = ports.get(0);
        this.rmiRegistryPort = ports.get(1);
        this.rmiServerPort = ports.get(2);
        Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
    }

    /** Copies an unpacked distribution and sets it up; not started. */
    static KarafProcess prepare(Path distribution, Path home) throws IOException {
        copy(distribution, home);
        List<Integer> ports = freePorts(3);
        set(home, "org.apache.karaf.shell", "sshHost = 127.0.0.1", "sshPort = " + ports.get(0));
        set(
                home,
                "org.apache.karaf.management",
                "rmiRegistryHost = 127.0.0.1",
                "rmiServerHost = 127.0.0.1",
                "rmiRegistryPort = " + ports.get(1),
                "rmiServerPort = " + ports.get(2));
        // No remote repository and no files of the user's: else the test could pass by accident.
        set(
                home,
                "org.ops4j.pax.url.mvn",
                "org.ops4j.pax.url.mvn.repositories =",
                "org.ops4j.pax.url.mvn.localRepository = " + home.resolve("data/repository"),
                "org.ops4j.pax.url.mvn.settings = " + home.resolve("etc/none.xml"));
        append(
                home.resolve("etc/users.properties"),
                "karaf = karaf,_g_:admingroup",
                "_g_\\:admingroup = group,admin,manager,viewer,systembundles,ssh",
                "reader = reader,message_replication_user",
                "operator = operator,message_replication_admin",
                "viewer = viewer,viewer",
                "stranger = stranger,ssh");
        return new KarafProcess(home, ports);
    }

    Path home() {
        return home;
    }

    /** Has a file installed that is dropped there, as a whole. */
    void deploy(Path file) throws IOException {
        Path copy = Files.copy(file, home.resolve(file.getFileName()));
        Files.move(copy, home.resolve("deploy").resolve(file.getFileName()));
    }

    /** Has a file uninstalled by taking it away. */
    void undeploy(Path file) throws IOException {
        Files.delete(home.resolve("deploy").resolve(file.getFileName()));
    }

    /** Starts it, for the first time or again. */
    void start() throws IOException {
        logBefore = log(0).length();
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("bin/karaf").toString(), "daemon")
                        .redirectErrorStream(true)
                        .redirectOutput(home.resolve("karaf.out").toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("JAVA_MAX_MEM", "512m");
        process = builder.start();
    }

    /** What it has logged since its last start. */
    String log() {
        return log(logBefore);
    }

    private String log(long from) {
        Path file = home.resolve("data/log/karaf.log");
        try {
            return Files.exists(file) ? Files.readString(file).substring((int) from) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a text in the log. */
    void awaitLog(String text) {
        Awaitility.await("'" + text + "' in Karaf's log")
                .atMost(START_LIMIT)
                .pollInterval(Duration.ofMillis(250))
                .until(
                        () -> {
                            if (!process.isAlive()) {
                                throw new IllegalStateException("Karaf ended:\n" + log());
                            }
                            String log = log();
                            if (FAILURES.stream().anyMatch(log::contains)) {
                                throw new IllegalStateException(
                                        "not installed or started:\n" + log);
                            }
                            return log.contains(text);
                        });
    }

    /**
     * Its beans as a user sees them.
     *
     * @param user one of etc/users.properties
     */
    KarafJmx jmx(String user) throws IOException {
        return KarafJmx.connect(rmiRegistryPort, rmiServerPort, user);
    }

    /** What a command of its shell prints. */
    String command(String line) throws IOException, InterruptedException {
        Path out = home.resolve("client.out");
        Process client =
                new ProcessBuilder(
                                home.resolve("bin/client").toString(),
                                "-a",
                                String.valueOf(sshPort),
                                "-u",
                                "karaf",
                                "-p",
                                "karaf",
                                "-b")
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        try {
            client.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            client.getOutputStream().close();
            if (!client.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("no answer to: " + line);
            }
            return Files.readString(out);
        } finally {
            client.destroyForcibly();
        }
    }

    /**
     * Ends it with the signal of a service manager.
     *
     * @return whether it has ended within the limit
     */
    boolean terminate(Duration limit) throws InterruptedException {
        process.toHandle().destroy();
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Its process id: the JVM's, since the script gives its place to it. */
    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        kill();
    }

    private void kill() {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            process.onExit().join();
        }
    }

    private static void set(Path home, String pid, String... lines) throws IOException {
        append(home.resolve("etc").resolve(pid + ".cfg"), lines);
    }

    private static void append(Path file, String... lines) throws IOException {
        Files.writeString(
                file,
                "\n" + String.join("\n", lines) + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (!Files.isDirectory(copy)) {
                    Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
