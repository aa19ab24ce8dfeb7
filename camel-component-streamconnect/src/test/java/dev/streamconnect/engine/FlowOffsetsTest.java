package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Positions of a source partition")
class FlowOffsetsTest {

    private final FlowOffsets offsets = new FlowOffsets(10);

    @Test
    @DisplayName("room ends at the bound and comes back with the commit of all that is settled")
    void bound() {
        offsets.startAt(5);
        offsets.settle(15);
        offsets.count(10);
        assertThat(offsets.hasRoomFor(1)).isFalse();
        assertThat(offsets.waitsForCommit()).isTrue();
        assertThat(offsets.committable()).isEqualTo(15);
        assertThat(offsets.committed(15)).isTrue();
        assertThat(offsets.waitsForCommit()).isFalse();
        assertThat(offsets.hasRoomFor(10)).isTrue();
    }

    @Test
    @DisplayName("what is counted after its commit was asked for takes no room for ever")
    void countedLate() {
        offsets.startAt(5);
        offsets.settle(15);
        assertThat(offsets.committable()).isEqualTo(15);
        offsets.count(10);
        offsets.committed(15);
        assertThat(offsets.committable()).as("nothing that a commit could free").isEqualTo(-1);
        assertThat(offsets.hasRoomFor(1)).isTrue();
    }

    @Test
    @DisplayName("what is acknowledged of a source record that is not settled counts on")
    void beyond() {
        offsets.startAt(5);
        offsets.settle(6);
        offsets.count(8);
        offsets.beyondSettled(7);
        assertThat(offsets.committable()).isEqualTo(6);
        assertThat(offsets.committed(6)).isTrue();
        assertThat(offsets.uncommitted()).isEqualTo(7);
        assertThat(offsets.hasRoomFor(4)).isFalse();
    }
}
