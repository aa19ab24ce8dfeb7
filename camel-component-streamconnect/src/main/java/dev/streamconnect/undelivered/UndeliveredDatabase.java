package dev.streamconnect.undelivered;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.MetricsStore;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * The database that undelivered messages and metrics windows are kept in: H2 or PostgreSQL.
 *
 * <p>Opening connects to nothing, so the database may be away then; the tables are made or migrated
 * at the first call that reaches it. All methods may be called from any thread.
 */
public final class UndeliveredDatabase implements AutoCloseable {

    /** Option that gives the JDBC URL. */
    public static final String URL_OPTION = "undeliveredUrl";

    /** Option that gives the user. */
    public static final String USER_OPTION = "undeliveredUser";

    /** Option that gives the password. */
    public static final String PASSWORD_OPTION = "undeliveredPassword";

    private final Database database;
    private final AutoCloseable pool;

    private UndeliveredDatabase(Database database, AutoCloseable pool) {
        this.database = database;
        this.pool = pool;
    }

    /**
     * Uses connections of the caller's, who keeps them bounded: a data source of its own must have
     * time-outs of seconds to connect, to wait for a connection and to read, and H2 needs {@code
     * WRITE_DELAY=0}, or committed rows are lost when the process is killed.
     *
     * @param dataSource stays open when this is closed
     */
    public static UndeliveredDatabase of(DataSource dataSource) {
        Objects.requireNonNull(dataSource, "dataSource");
        String name = "the data source " + dataSource.getClass().getSimpleName();
        return new UndeliveredDatabase(new Database(dataSource, name), () -> {});
    }

    /**
     * Opens a small pool of its own. It needs HikariCP and the database's driver on the class path.
     *
     * @param url {@code jdbc:postgresql:…} or {@code jdbc:h2:…}
     * @param user null for the URL's or the driver's default
     * @param password null for the URL's or none
     * @throws IllegalArgumentException if the URL is of another kind, or a library is missing; one
     *     line with the option to change
     */
    public static UndeliveredDatabase open(String url, String user, Secret password) {
        JdbcUrl place = JdbcUrl.of(url);
        if (!place.isH2() && !place.isPostgreSql()) {
            throw new IllegalArgumentException(
                    URL_OPTION + " must begin with jdbc:postgresql: or jdbc:h2:");
        }
        String secret = password == null ? place.password() : password.reveal();
        try {
            var pool = ConnectionPool.of(place, user == null ? place.user() : user, secret);
            return new UndeliveredDatabase(new Database(pool, place.place()), pool);
        } catch (NoClassDefFoundError e) {
            throw new IllegalArgumentException(missing(place), e);
        }
    }

    private static String missing(JdbcUrl place) {
        String driver = place.isH2() ? "com.h2database:h2" : "org.postgresql:postgresql";
        return URL_OPTION
                + " needs com.zaxxer:HikariCP and "
                + driver
                + " on the class path; without them, give a data source";
    }

    /**
     * Opens the embedded H2 database. One process can have it open at a time.
     *
     * @param file path without the ending {@code .mv.db}; a missing folder is made, for its owner
     *     alone where the file system knows that, since rows hold the data of customers
     * @throws IllegalArgumentException if H2 can't have such a path, or a library is missing
     * @throws UncheckedIOException if the folder can't be made
     */
    public static UndeliveredDatabase embedded(Path file) {
        Path path = file.toAbsolutePath().normalize();
        if (path.toString().contains(";")) {
            throw new IllegalArgumentException(
                    URL_OPTION + ": the embedded database can't be in a path with a semicolon");
        }
        makeFolder(path.getParent());
        return open("jdbc:h2:file:" + path, null, null);
    }

    private static void makeFolder(Path folder) {
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        try {
            Path above = folder.getParent();
            if (above != null) {
                Files.createDirectories(above);
            }
            if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                var owner = PosixFilePermissions.fromString("rwx------");
                Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(owner));
            } else {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A store of undelivered messages; several may be had, of one content. */
    public UndeliveredStore undeliveredStore(StoreLimits limits) {
        return new JdbcUndeliveredStore(database, limits);
    }

    /** A store of metrics windows; several may be had, of one content. */
    public MetricsStore metricsStore() {
        return new JdbcMetricsStore(database);
    }

    /** Closes its own connections; its stores are of no use then. Idempotent. */
    @Override
    public void close() {
        try {
            pool.close();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the connections could not be closed", e);
        }
    }
}
