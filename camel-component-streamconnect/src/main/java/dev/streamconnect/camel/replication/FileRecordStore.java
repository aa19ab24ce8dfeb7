package dev.streamconnect.camel.replication;

import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordsVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Records in a YAML file. Its content is read and compared each time: times of files and events of
 * file systems miss what a link leads to, and writes within one tick of the clock.
 */
final class FileRecordStore implements RecordStore {

    /** Enough to tell versions apart, and short enough for people. */
    private static final int ID_BYTES = 8;

    private final Path file;
    private final RecordsReader reader;
    private String faultyId;
    private RecordsException faults;

    FileRecordStore(Path file, RecordsReader reader) {
        this.file = file;
        this.reader = reader;
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public synchronized Optional<RecordsVersion> newer(String known) {
        Instant changed = changed();
        String text = RecordsReader.text(file);
        String id = id(text);
        if (id.equals(known)) {
            return Optional.empty();
        }
        return Optional.of(new RecordsVersion(id, changed, parse(id, text)));
    }

    /** What is faulty is not parsed again and again while it stays. */
    private ReplicationRecords parse(String id, String text) {
        if (id.equals(faultyId)) {
            throw faults;
        }
        try {
            return reader.parse(text, file.toString());
        } catch (RecordsException e) {
            faultyId = id;
            faults = e;
            throw e;
        }
    }

    private Instant changed() {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            // Reading it tells why.
            return null;
        }
    }

    private static String id(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
