package dev.streamconnect.undelivered;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A small pool with time-outs, so that a database that is away or silent is told within seconds.
 * Making one connects to nothing.
 */
final class ConnectionPool {

    static final int MAX_CONNECTIONS = 4;

    private static final String APPLICATION = "camel-streamconnect";
    private static final String H2_OPEN_ELSEWHERE = "90020";
    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(4);
    private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(2);
    private static final int CONNECT_SECONDS = 3;
    private static final int CANCEL_SECONDS = 2;

    /** Above {@link Database#QUERY_TIMEOUT_SECONDS}: it is for servers that don't even cancel. */
    private static final int SOCKET_SECONDS = 8;

    private ConnectionPool() {}

    static HikariDataSource of(JdbcUrl url, String user, String password) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("streamconnect-undelivered");
        config.setDataSource(
                url.isH2() ? H2.of(url, user, password) : PostgreSql.of(url, user, password));
        config.setMaximumPoolSize(MAX_CONNECTIONS);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
        config.setValidationTimeout(VALIDATION_TIMEOUT.toMillis());
        // The database may be away when the context starts.
        config.setInitializationFailTimeout(-1);
        if (url.isH2()) {
            config.setExceptionOverride(new ClosedH2());
        }
        return new HikariDataSource(config);
    }

    /** Opens the H2 file; true if another process has it. Other failures are told by its calls. */
    static boolean isOpenElsewhere(HikariDataSource pool) {
        try (Connection opened = pool.getDataSource().getConnection()) {
            return false;
        } catch (SQLException e) {
            return H2_OPEN_ELSEWHERE.equals(e.getSQLState());
        }
    }

    /**
     * H2 closes its file at a failed write, such as on a full disk, and says so of each connection
     * for ever; a new connection opens it again.
     */
    private static final class ClosedH2 implements SQLExceptionOverride {

        @java.lang.Override
        public Override adjudicate(SQLException failure) {
            return DatabaseAnswer.hasClosedH2(failure)
                    ? Override.MUST_EVICT
                    : Override.CONTINUE_EVICT;
        }
    }

    /** A class of its own, so that only the driver that is used has to be there. */
    private static final class H2 {

        private static final String FILE = "^jdbc:h2:(file:)?(?=[/.~]|[A-Za-z]:[/\\\\])";

        static DataSource of(JdbcUrl url, String user, String password) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL(durable(url));
            source.setUser(user == null ? "sa" : user);
            source.setPassword(password == null ? "" : password);
            return source;
        }

        /**
         * H2's defaults lose committed rows when the process is killed, and close the database when
         * a thread that uses it is interrupted.
         */
        private static String durable(JdbcUrl url) {
            StringBuilder text = new StringBuilder(url.text().replaceFirst(FILE, "jdbc:h2:async:"));
            if (url.isLocalH2() && !url.hasSetting("WRITE_DELAY")) {
                text.append(";WRITE_DELAY=0");
            }
            if (url.isLocalH2() && !url.hasSetting("DB_CLOSE_ON_EXIT")) {
                text.append(";DB_CLOSE_ON_EXIT=FALSE");
            }
            return text.toString();
        }
    }

    private static final class PostgreSql {

        static DataSource of(JdbcUrl url, String user, String password) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setURL(url.text());
            source.setUser(user);
            source.setPassword(password);
            // Details of an error quote the data of rows.
            source.setLogServerErrorDetail(false);
            unlessIn(url, "ApplicationName", () -> source.setApplicationName(APPLICATION));
            unlessIn(url, "connectTimeout", () -> source.setConnectTimeout(CONNECT_SECONDS));
            unlessIn(url, "loginTimeout", () -> source.setLoginTimeout(CONNECT_SECONDS));
            unlessIn(url, "socketTimeout", () -> source.setSocketTimeout(SOCKET_SECONDS));
            unlessIn(
                    url,
                    "cancelSignalTimeout",
                    () -> source.setCancelSignalTimeout(CANCEL_SECONDS));
            unlessIn(url, "tcpKeepAlive", () -> source.setTcpKeepAlive(true));
            return source;
        }

        private static void unlessIn(JdbcUrl url, String setting, Runnable setDefault) {
            if (!url.hasSetting(setting)) {
                setDefault.run();
            }
        }
    }
}
