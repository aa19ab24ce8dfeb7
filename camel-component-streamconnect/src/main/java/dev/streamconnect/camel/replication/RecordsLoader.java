package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.support.ResourceHelper;

/** Finds and reads the replication records that an option names. */
final class RecordsLoader {

    private static final String OPTION = "camel.component.replication.records";

    private final CamelContext context;

    RecordsLoader(CamelContext context) {
        this.context = context;
    }

    /**
     * Reads them.
     *
     * @param location {@code file:…}, {@code classpath:…}, another resource of Camel, or a path
     * @throws IllegalArgumentException if there is no such file, in one line
     * @throws dev.streamconnect.record.RecordsException with all faults of what it holds
     */
    ReplicationRecords load(String location, Optional<HermesInstance> instance) {
        if (location == null || location.isBlank()) {
            throw new IllegalArgumentException(
                    OPTION
                            + ": is missing; name the file with the replication records, such as file:replications.yaml");
        }
        RecordsReader reader = new RecordsReader(context::resolvePropertyPlaceholders, instance);
        if (location.startsWith("file:") || !ResourceHelper.hasScheme(location)) {
            return reader.read(file(location));
        }
        try (InputStream stream =
                ResourceHelper.resolveMandatoryResourceAsInputStream(context, location)) {
            return reader.read(stream, location);
        } catch (FileNotFoundException e) {
            throw missing(location);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    OPTION + ": '" + location + "' cannot be read; check its rights");
        }
    }

    private static Path file(String location) {
        String text =
                location.startsWith("file:") ? location.substring("file:".length()) : location;
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            throw missing(text);
        }
        if (!Files.exists(path)) {
            throw missing(text);
        }
        return path;
    }

    private static IllegalArgumentException missing(String location) {
        return new IllegalArgumentException(
                OPTION
                        + ": there is no '"
                        + location
                        + "' (from "
                        + Path.of("").toAbsolutePath()
                        + "); correct the path");
    }
}
