package dev.streamconnect.command;

import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.StoreSource;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks for the store files that connections name. One that is missing here is no fault of the
 * records: the replicator may run elsewhere, and relative paths count from its working directory.
 */
final class StoreFiles {

    private StoreFiles() {}

    /** One line for each that is not there. */
    static List<String> missing(Path file, ReplicationRecords records) {
        List<String> lines = new ArrayList<>();
        for (KafkaConnection connection : records.connections()) {
            connection
                    .ssl()
                    .ifPresent(
                            ssl -> {
                                String of = file + ": connection '" + connection.id() + "': ";
                                add(lines, of + "keystoreLocation", ssl.keystore());
                                add(lines, of + "truststoreLocation", ssl.truststore());
                            });
        }
        return lines;
    }

    private static void add(List<String> lines, String place, Optional<StoreSource> store) {
        store.flatMap(StoreSource::location)
                .filter(location -> !isFile(location))
                .ifPresent(
                        location ->
                                lines.add(
                                        place
                                                + ": there is no file '"
                                                + location
                                                + "' here (from "
                                                + Path.of("").toAbsolutePath()
                                                + "); the replicator looks for it from its working directory"));
    }

    private static boolean isFile(String location) {
        try {
            return Files.isRegularFile(
                    Path.of(location.startsWith("file:") ? location.substring(5) : location));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
