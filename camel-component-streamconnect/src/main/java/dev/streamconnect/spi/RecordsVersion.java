package dev.streamconnect.spi;

import dev.streamconnect.record.ReplicationRecords;
import java.time.Instant;
import java.util.Objects;

/**
 * Replication records as a {@link RecordStore} had them at one moment.
 *
 * @param id the same for the same content, another for another; shown to people, so it holds no
 *     secret
 * @param changed when the content was last changed; null if the store does not know
 * @param records the records
 */
public record RecordsVersion(String id, Instant changed, ReplicationRecords records) {

    public RecordsVersion {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(records, "records");
    }
}
