package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.outgoing;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ShipmentTest {

    private static Shipment.Raw raw(int records) {
        return new Shipment.Raw(polled(100, 100 + records), 4, null);
    }

    @Test
    @Tag("case-O10")
    @DisplayName("only an unbroken row from the front counts as acknowledged")
    void outOfOrder() {
        Shipment shipment = raw(5);
        shipment.ack(0);
        shipment.ack(2);
        shipment.ack(3);
        assertThat(shipment.acked()).isEqualTo(1);
        assertThat(IntStream.range(0, 5).filter(shipment::isAcked)).containsExactly(0, 2, 3);
        shipment.ack(1);
        assertThat(shipment.acked()).isEqualTo(4);
    }

    @Test
    @DisplayName("in any order, once or twice, all acknowledged is all")
    void anyOrder() {
        Random random = new Random(11);
        for (int run = 0; run < 200; run++) {
            Shipment shipment = raw(30);
            List<Integer> order = new ArrayList<>(IntStream.range(0, 30).boxed().toList());
            order.addAll(order.subList(0, 10));
            Collections.shuffle(order, random);
            for (int index : order) {
                shipment.ack(index);
                assertThat(shipment.isAcked(index)).isTrue();
            }
            assertThat(shipment.acked()).isEqualTo(30);
        }
    }

    @Test
    @DisplayName("a range fills gaps, overlaps, and takes along what was acknowledged behind it")
    void ranges() {
        Shipment shipment = raw(10);
        shipment.ackRange(6, 8);
        assertThat(shipment.acked()).isZero();
        shipment.ackRange(0, 3);
        assertThat(shipment.acked()).isEqualTo(3);
        shipment.ackRange(2, 6);
        assertThat(shipment.acked()).isEqualTo(8);
        shipment.ackRange(1, 4);
        assertThat(shipment.acked()).isEqualTo(8);
    }

    @Test
    @DisplayName("the search for a refused record ends where the refused chunk ended")
    void search() {
        Shipment shipment = raw(10);
        assertThat(shipment.isSearched()).isFalse();
        shipment.searchUntil(4);
        shipment.ackRange(0, 3);
        assertThat(shipment.isSearched()).isTrue();
        shipment.ack(3);
        assertThat(shipment.isSearched()).isFalse();
    }

    @Test
    @DisplayName(
            "the source partition is kept where both topics have as many, else the key decides")
    void partitions() {
        assertThat(raw(1).partition(0, 4)).isEqualTo(2);
        assertThat(raw(1).partition(0, 8)).isNull();
        OutgoingRecord kept = outgoing("k", "v");
        OutgoingRecord rekeyed =
                new OutgoingRecord(kept.key(), kept.value(), kept.headers(), 5L, null, false);
        OutgoingRecord fixed =
                new OutgoingRecord(kept.key(), kept.value(), kept.headers(), 5L, 7, true);
        Shipment routed = new Shipment.Routed(List.of(kept, rekeyed, fixed), null, 2, 4, null);
        assertThat(routed.partition(0, 4)).isEqualTo(2);
        assertThat(routed.partition(0, 3)).isNull();
        assertThat(routed.partition(1, 4)).isNull();
        assertThat(routed.partition(2, 4)).isEqualTo(7);
    }

    @Test
    @Tag("case-F11")
    @DisplayName("a record keeps its bytes and timestamp; without one the time of sending counts")
    void record() {
        ProducerRecord<byte[], byte[]> record = raw(2).toProducerRecord(1, "t", 2);
        assertThat(record.timestamp()).isEqualTo(1_101L);
        assertThat(record.value()).isEqualTo(Fixtures.bytes("101"));
        OutgoingRecord none = new OutgoingRecord(null, null, List.of(), null, null, false);
        ProducerRecord<byte[], byte[]> empty =
                new Shipment.Routed(List.of(none), null, -1, 0, null)
                        .toProducerRecord(0, "t", null);
        assertThat(empty.timestamp()).isNull();
        assertThat(empty.key()).isNull();
        assertThat(empty.value()).isNull();
    }
}
