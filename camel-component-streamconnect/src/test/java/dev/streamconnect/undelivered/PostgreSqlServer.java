package dev.streamconnect.undelivered;

import dev.streamconnect.record.Secret;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A real PostgreSQL on a free port, which can be stopped and started again on its data. */
final class PostgreSqlServer implements AutoCloseable {

    static final String USER = "postgres";
    static final Secret PASSWORD = Secret.of("not-the-default");

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** One for all tests of the JVM that leave it running; it stops with the JVM. */
    private static PostgreSqlServer shared;

    private final Path folder;
    private EmbeddedPostgres postgres;

    private PostgreSqlServer(Path folder) {
        this.folder = folder;
    }

    static synchronized PostgreSqlServer shared() {
        if (shared == null) {
            shared = started();
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
        }
        return shared;
    }

    static PostgreSqlServer started() {
        try {
            PostgreSqlServer server =
                    new PostgreSqlServer(Files.createTempDirectory("streamconnect-postgresql"));
            server.postgres = server.start(0);
            server.execute("alter user postgres password '" + PASSWORD.reveal() + "'");
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder =
                EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(folder.resolve("work").toFile())
                        .setDataDirectory(folder.resolve("data"))
                        .setCleanDataDirectory(false)
                        .setRegisterShutdownHook(false)
                        // It is never the server that is killed here.
                        .setServerConfig("fsync", "off")
                        .setPGStartupWait(Duration.ofSeconds(60));
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    int port() {
        return postgres.getPort();
    }

    /** A new, empty database. */
    String newDatabase() {
        String name = "store" + DATABASES.incrementAndGet();
        execute("create database " + name);
        return url(name, port());
    }

    static String url(String database, int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    void execute(String sql) {
        execute(url("postgres", port()), sql);
    }

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url, USER, PASSWORD.reveal());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A user who, other than the server's own, has to show the password. */
    void addUser(String name, String password) {
        execute("create user " + name + " password '" + password + "'");
        Path rules = folder.resolve("data/pg_hba.conf");
        try {
            String rule = "host all " + name + " 127.0.0.1/32 scram-sha-256\n";
            Files.writeString(rules, rule + Files.readString(rules));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        execute("alter system set password_encryption = 'scram-sha-256'");
        execute("select pg_reload_conf()");
    }

    void stop() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void startAgain() {
        try {
            postgres = start(postgres.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
        try {
            deleteFolder();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void deleteFolder() throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
