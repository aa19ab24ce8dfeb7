package dev.streamconnect.it;

import dev.streamconnect.undelivered.UndeliveredDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;

/** A real PostgreSQL on a free port, which can be stopped and started again on its data. */
final class PostgreSql implements AutoCloseable {

    private static final String USER = "postgres";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final Path folder;
    private EmbeddedPostgres server;

    private PostgreSql(Path folder) {
        this.folder = folder;
        this.server = start(0);
    }

    /**
     * @param folder for its data, removed by the caller
     */
    static PostgreSql started(Path folder) {
        return new PostgreSql(folder);
    }

    private EmbeddedPostgres start(int port) {
        EmbeddedPostgres.Builder builder =
                EmbeddedPostgres.builder()
                        .setOverrideWorkingDirectory(folder.resolve("work").toFile())
                        .setDataDirectory(folder.resolve("data"))
                        .setCleanDataDirectory(false)
                        .setRegisterShutdownHook(false)
                        // It is never the server that is killed here.
                        .setServerConfig("fsync", "off")
                        .setPGStartupWait(START_LIMIT);
        try {
            return (port == 0 ? builder : builder.setPort(port)).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** JDBC URL of its one database, user included. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=" + USER;
    }

    /** The tables as a replicator sees them; the caller closes it. */
    UndeliveredDatabase database() {
        return UndeliveredDatabase.open(url(), null, null);
    }

    void stop() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void startAgain() {
        server = start(server.getPort());
    }

    @Override
    public void close() {
        stop();
    }
}
