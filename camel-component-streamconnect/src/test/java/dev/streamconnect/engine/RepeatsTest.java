package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.Deduplicate;
import dev.streamconnect.record.FailoverOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("messages that landed on both sides")
class RepeatsTest {

    private static ConsumerRecord<byte[], byte[]> message(
            String key, String value, long timestamp, String... headers) {
        RecordHeaders all = new RecordHeaders();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(new RecordHeader(headers[i], Fixtures.bytes(headers[i + 1])));
        }
        return new ConsumerRecord<>(
                "t",
                0,
                0,
                timestamp,
                TimestampType.CREATE_TIME,
                0,
                0,
                Fixtures.bytes(key),
                Fixtures.bytes(value),
                all,
                Optional.empty());
    }

    private static int repeats(Repeats repeats, boolean isB, ConsumerRecord<byte[], byte[]> one) {
        return repeats.look(isB, List.of(one)).repeats();
    }

    @Test
    @DisplayName("the same in key, value, headers and timestamp is left out once")
    void once() {
        Repeats repeats = new Repeats(true, 100);
        ConsumerRecord<byte[], byte[]> message = message("k", "v", 1, "h", null, "h", "x");
        assertThat(repeats(repeats, false, message)).isZero();
        Repeats.Read second = repeats.look(true, List.of(message, message("k", "w", 1)));
        assertThat(second.repeats()).isOne();
        assertThat(second.left()).hasSize(1);
        // One of A stands for one of B: a further one is a message of its own.
        assertThat(repeats(repeats, true, message)).isZero();
    }

    @Test
    @DisplayName("what differs in any byte, or is of the same side, is another message")
    void others() {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        all.add(message("k", "v", 1));
        all.add(message("k", "v", 2));
        all.add(message("kv", "", 1));
        all.add(message("", "kv", 1));
        all.add(message(null, "kv", 1));
        all.add(message("kv", null, 1));
        all.add(message("k", "v", 1, "h", "x"));
        all.add(message("k", "v", 1, "h", ""));
        all.add(message("k", "v", 1, "h", null));
        all.add(message("k", "v", 1, "a", "1", "b", "2"));
        all.add(message("k", "v", 1, "b", "2", "a", "1"));
        Repeats repeats = new Repeats(true, 1_000);
        for (int i = 0; i < all.size(); i++) {
            assertThat(repeats(repeats, i % 2 == 0, all.get(i))).as("message %d", i).isZero();
        }
        assertThat(repeats(new Repeats(true, 10), false, all.get(0))).isZero();
        assertThat(repeats(repeats, true, all.get(0))).isZero();
    }

    @Test
    @DisplayName("it remembers as many as it is told, and forgets the oldest")
    void window() {
        Repeats repeats = new Repeats(true, 3);
        for (int i = 0; i < 4; i++) {
            repeats(repeats, false, message("k", "v", i));
        }
        assertThat(repeats(repeats, true, message("k", "v", 3))).isOne();
        assertThat(repeats(repeats, true, message("k", "v", 0))).isZero();
    }

    @Test
    @DisplayName(
            "count: counted and delivered; drop: left out, and the position goes past it; none: neither")
    void modes() {
        assertThat(delivered(Deduplicate.NONE)).isEqualTo("4 delivered, 0 repeated");
        assertThat(delivered(Deduplicate.COUNT)).isEqualTo("4 delivered, 2 repeated");
        assertThat(delivered(Deduplicate.DROP)).isEqualTo("2 delivered, 2 repeated");
    }

    private static String delivered(Deduplicate deduplicate) {
        PairOptions pair =
                new PairOptions(FailoverOrder.FAST, Duration.ofSeconds(60), deduplicate, 100);
        HandDrivenLink link = HandDrivenLink.ofPair(pair, new MovedClock());
        SideLog a = new SideLog(link, "A");
        SideLog b = new SideLog(link, "B");
        int delivered = 0;
        for (SideLog side : List.of(a, b)) {
            side.append("k", 1, 2);
            side.poll(2);
            link.work();
            while (!link.inRoute.isEmpty()) {
                Delivery delivery = link.inRoute.poll();
                delivered += delivery.batch().size();
                delivery.emitBatch(delivery.batch());
                delivery.complete();
                link.acknowledgeEverything();
            }
            side.observe();
            assertThat(side.flow().position()).isEqualTo(2);
        }
        return delivered + " delivered, " + link.totals().repeated() + " repeated";
    }
}
