package dev.streamconnect.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads the undelivered store once the replicator has stopped, with plain SQL. */
final class StoredRows {

    private static final String QUERY =
            "select side, source_partition, source_offset from streamconnect_undelivered where link = '%s'";

    private StoredRows() {}

    /**
     * Offsets by flow and place.
     *
     * @param store path of the database without its ending
     */
    static Map<Integer, Map<Integer, Set<Long>>> read(Path store) {
        Map<Integer, Map<Integer, Set<Long>>> rows = new HashMap<>();
        if (Files.notExists(Path.of(store + ".mv.db"))) {
            return rows;
        }
        try (Connection connection =
                        DriverManager.getConnection(
                                "jdbc:h2:file:" + store + ";IFEXISTS=TRUE", "sa", "");
                Statement statement = connection.createStatement()) {
            for (int flow = 0; flow < Flow.ALL.size(); flow++) {
                Map<Integer, Set<Long>> offsets = new HashMap<>();
                rows.put(flow, offsets);
                ResultSet result =
                        statement.executeQuery(QUERY.formatted(Flow.ALL.get(flow).replication()));
                while (result.next()) {
                    offsets.computeIfAbsent(
                                    Flow.place(result.getString(1), result.getInt(2)),
                                    any -> new HashSet<>())
                            .add(result.getLong(3));
                }
            }
            return rows;
        } catch (SQLException e) {
            throw new QuickstartException(
                    "the undelivered store cannot be read: " + e.getMessage());
        }
    }
}
