package dev.streamconnect.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@link RecordStore} promises, whatever the records come from. */
public abstract class RecordStoreContract {

    private RecordStore store;

    /** The store, which holds nothing yet. */
    protected abstract RecordStore open() throws Exception;

    /** Has it hold active topic replications of these ids, and nothing else. */
    protected abstract void put(List<String> ids) throws Exception;

    /** Has it hold what can't be used, otherwise than by {@link #remove}. */
    protected abstract void spoil() throws Exception;

    /** Has it hold nothing that can be read. */
    protected abstract void remove() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    private static List<String> ids(RecordsVersion version) {
        ReplicationRecords records = version.records();
        return records.topicReplications().stream().map(TopicReplication::id).toList();
    }

    private RecordsException faults(String known) {
        return catchThrowableOfType(RecordsException.class, () -> store.newer(known));
    }

    @Test
    @DisplayName("the first version comes, and then no other while nothing changes")
    void first() throws Exception {
        put(List.of("a", "b"));
        RecordsVersion first = store.newer(null).orElseThrow();
        assertThat(ids(first)).containsExactly("a", "b");
        assertThat(store.newer(first.id())).isEmpty();
        assertThat(store.newer(null).orElseThrow().id()).isEqualTo(first.id());
        assertThat(store.name()).isNotBlank();
    }

    @Test
    @DisplayName("other content is another version; the same content again is the same")
    void versions() throws Exception {
        put(List.of("a"));
        RecordsVersion first = store.newer(null).orElseThrow();
        put(List.of("a", "b"));
        RecordsVersion second = store.newer(first.id()).orElseThrow();
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(ids(second)).containsExactly("a", "b");
        put(List.of("a"));
        assertThat(store.newer(first.id())).isEmpty();
        assertThat(store.newer(second.id()).orElseThrow().id()).isEqualTo(first.id());
    }

    @Test
    @DisplayName("what can't be used has faults, the same ones until it is mended")
    void faulty() throws Exception {
        put(List.of("a"));
        String known = store.newer(null).orElseThrow().id();
        spoil();
        List<?> faults = faults(known).faults();
        assertThat(faults).isNotEmpty();
        assertThat(faults(known).faults()).isEqualTo(faults);
        assertThat(faults(null).faults()).isEqualTo(faults);
        put(List.of("a"));
        assertThat(store.newer(known)).isEmpty();
        put(List.of("b"));
        assertThat(ids(store.newer(known).orElseThrow())).containsExactly("b");
    }

    @Test
    @DisplayName("so has what is not there")
    void gone() throws Exception {
        put(List.of("a"));
        String known = store.newer(null).orElseThrow().id();
        remove();
        List<?> faults = faults(known).faults();
        assertThat(faults).hasSize(1);
        assertThat(faults(known).faults()).isEqualTo(faults);
        put(List.of("a"));
        assertThat(store.newer(known)).isEmpty();
    }
}
