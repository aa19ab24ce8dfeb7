package dev.streamconnect.undelivered;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.MetricsStore;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * The database that undelivered messages, metrics windows and known topics are kept in: H2 or
 * PostgreSQL.
 *
 * <p>Opening needs no database that answers, so a server may be away then; the tables are made or
 * migrated at the first call that reaches it. All methods may be called from any thread.
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
        return new UndeliveredDatabase(new Database(dataSource, name, true), () -> {});
    }

    /**
     * Opens a small pool of its own. It needs HikariCP and the database's driver on the class path.
     *
     * @param url {@code jdbc:postgresql:…} or {@code jdbc:h2:…}
     * @param user null for the URL's or the driver's default
     * @param password null for the URL's or none
     * @throws IllegalArgumentException if the URL is of another kind, or a library is missing; one
     *     line with the option to change
     * @throws IllegalStateException if another process has the H2 file open; one line
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
            if (place.isLocalH2() && ConnectionPool.isOpenElsewhere(pool)) {
                pool.close();
                throw new IllegalStateException(
                        URL_OPTION
                                + ": another process has the H2 file of "
                                + place.place()
                                + " open; end it, give this process a file of its own, or share a PostgreSQL");
            }
            return new UndeliveredDatabase(
                    new Database(pool, place.place(), !place.isLocalH2()), pool);
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
     * @throws IllegalArgumentException if H2 can't have such a path, a library is missing, or the
     *     folder can't be made; one line with the option
     * @throws IllegalStateException if another process has it open; one line
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
            throw new IllegalArgumentException(
                    URL_OPTION
                            + ": the folder "
                            + folder
                            + " can't be made: "
                            + reason(e)
                            + "; give a path that this user may write",
                    e);
        }
    }

    /** What the file system says names the path once more, or the path alone. */
    private static String reason(IOException failure) {
        if (failure instanceof FileSystemException file && file.getFile() != null) {
            String why = file.getReason();
            return file.getFile() + ": " + (why == null ? words(file) : why);
        }
        return String.valueOf(failure.getMessage());
    }

    private static String words(FileSystemException failure) {
        return failure instanceof AccessDeniedException
                ? "access denied"
                : failure instanceof FileAlreadyExistsException
                        ? "is a file"
                        : failure.getClass().getSimpleName();
    }

    /** A store of undelivered messages; several may be had, of one content. */
    public UndeliveredStore undeliveredStore(StoreLimits limits) {
        return new JdbcUndeliveredStore(database, limits);
    }

    /** A store of metrics windows; several may be had, of one content. */
    public MetricsStore metricsStore() {
        return new JdbcMetricsStore(database);
    }

    /** A memory of known topics; several may be had, of one content. */
    public KnownTopicStore knownTopicStore() {
        return new JdbcKnownTopicStore(database);
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
