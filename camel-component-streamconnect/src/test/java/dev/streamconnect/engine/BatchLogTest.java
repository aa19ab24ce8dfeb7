package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.SOURCE;
import static dev.streamconnect.engine.Fixtures.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.Reason;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The debug log of a topic replication")
class BatchLogTest {

    private static final String LOGGER = "dev.streamconnect.debug.orders-to-sn";
    private static final String SECRET = "data-of-a-customer";

    private final MovedClock clock = new MovedClock();

    private static LinkOptions options(boolean debug) {
        return new LinkOptions(
                true,
                2,
                10_000,
                Duration.ofSeconds(1),
                LinkOptions.HERMES_MAX_MESSAGE_BYTES,
                StateTimes.DEFAULT,
                Duration.ofMinutes(10),
                Duration.ofMillis(250),
                Duration.ofSeconds(30),
                debug,
                PairOptions.DEFAULT,
                PositionPolicy.DEFAULT,
                null);
    }

    private List<String> lines(boolean debug) {
        try (LogLines log = new LogLines(LOGGER)) {
            HandDrivenLink link =
                    HandDrivenLink.with(options(debug), clock, new MemoryStore(), true, 3);
            PartitionFlow flow = new PartitionFlow(link, SOURCE, "A", 4, () -> {});
            flow.keepUndelivered(link.undelivered(), "topic-1");
            flow.startAt(5);
            flow.offer(List.of(record(5), record(6), record(8)));
            link.work();
            pass(link.inRoute.remove());
            link.acknowledge(1);
            link.refuse(
                    new FailureVerdict.MessageRefused(
                            "snc.acme.orders refuses it", Reason.SIZE, ""));
            link.acknowledgeAll();
            flow.offer(List.of(record(9)));
            link.work();
            link.inRoute.remove().complete();
            flow.committed(flow.committable());
            return List.copyOf(log.lines());
        }
    }

    private static ConsumerRecord<byte[], byte[]> record(long offset) {
        ConsumerRecord<byte[], byte[]> record =
                Fixtures.polled(offset, bytes(SECRET + offset), bytes(SECRET + offset));
        record.headers().add(SECRET, bytes(SECRET));
        return record;
    }

    private static void pass(Delivery delivery) {
        delivery.emitBatch(delivery.batch());
        delivery.complete();
    }

    @Test
    @DisplayName("has a line for each batch and what came of it, and nothing of a message")
    void on() {
        assertThat(lines(true))
                .containsExactly(
                        "INFO A orders-2 offsets 5 to 8, 3 message(s) read",
                        "INFO A orders-2 offsets 5 to 8, 3 message(s) to snc.acme.orders",
                        "INFO A orders-2 offsets 5 to 8, 3 message(s): 1 settled, then failed: snc.acme.orders refuses it",
                        "INFO A orders-2 offsets 5 to 8, 3 message(s): 1 stored as undelivered",
                        "INFO A orders-2 offsets 5 to 8, 3 message(s) settled: acknowledged by snc.acme.orders, or stored",
                        "INFO A orders-2 offsets 9 to 9, 1 message(s) read",
                        "INFO A orders-2 offsets 9 to 9, 1 message(s) dropped by the route",
                        "INFO A orders-2 position 10 committed")
                .noneMatch(line -> line.contains(SECRET));
    }

    @Test
    @DisplayName("is silent without the option")
    void off() {
        assertThat(lines(false)).isEmpty();
    }
}
