package dev.streamconnect.servicenow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.certificate.OwnerOnlyFiles;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordRule;
import dev.streamconnect.record.RecordsException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The last good rows of an instance in a file, which its owner alone can read and which is replaced
 * as a whole. It holds what the tables hold: nothing of the overlay, and no credentials.
 */
final class RecordsCache {

    private static final int FORMAT = 1;
    private static final int MAX_BYTES = 16 * 1024 * 1024;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;
    private final InstanceUrl instance;

    RecordsCache(Path file, InstanceUrl instance) {
        this.file = file;
        this.instance = instance;
    }

    /**
     * What a cache holds.
     *
     * @param read when the rows were read from the instance
     */
    record Cached(InstanceRows rows, Instant read) {}

    Path file() {
        return file;
    }

    /**
     * @throws IOException if it can't be written
     */
    void write(InstanceRows rows, Instant read) throws IOException {
        ObjectNode content = rows.json();
        ObjectNode json =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("format", FORMAT)
                        .put("instance", instance.toString())
                        .put("read", read.toString())
                        .put("sha256", InstanceRows.hash(content.toString()));
        json.set("rows", content);
        OwnerOnlyFiles.write(
                file,
                MAPPER.writerWithDefaultPrettyPrinter()
                        .writeValueAsString(json)
                        .getBytes(StandardCharsets.UTF_8));
    }

    /**
     * What is in the file; empty if there is no file.
     *
     * @throws RecordsException with one fault if what is there can't be used
     */
    Optional<Cached> read() {
        JsonNode json;
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw unusable("is larger than " + MAX_BYTES + " bytes");
            }
            json = MAPPER.readTree(bytes);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw unusable("can't be read (" + e.getClass().getSimpleName() + ")");
        }
        if (json == null || json.path("format").asInt() != FORMAT) {
            throw unusable("is no cache of this release");
        }
        if (!json.path("instance").asText().equals(instance.toString())) {
            throw unusable("is of another instance");
        }
        JsonNode rows = json.path("rows");
        if (!InstanceRows.hash(rows.toString()).equals(json.path("sha256").asText())) {
            throw unusable("is damaged: its content does not fit its checksum");
        }
        try {
            Instant read = Instant.parse(json.path("read").asText());
            return Optional.of(new Cached(InstanceRows.of(rows), read));
        } catch (DateTimeException e) {
            throw unusable("does not say when it was read");
        }
    }

    private RecordsException unusable(String why) {
        return new RecordsException(
                List.of(
                        new RecordFault(
                                file.toString(),
                                0,
                                0,
                                RecordRule.CACHE_UNUSABLE,
                                "the cache "
                                        + why
                                        + "; delete it, a new one is written when the instance answers")));
    }
}
