package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.bytes;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.StartFrom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The header that tells where a message was copied from")
class OriginHeaderTest {

    private static final String NAME = "from";

    private final OriginHeader toHermes =
            OriginHeader.of(Fixtures.link("id", LinkOptions.defaults(true).withOriginHeader(NAME)));
    private final OriginHeader toPlant =
            OriginHeader.of(
                    new LinkDefinition(
                            "back",
                            List.of(Fixtures.SIDE_A, Fixtures.SIDE_B),
                            "snc.acme.orders",
                            StartFrom.EARLIEST,
                            Fixtures.PLANT,
                            "orders",
                            LinkOptions.defaults(true).withOriginHeader(NAME)));

    private static ConsumerRecord<byte[], byte[]> record(long offset, String... origins) {
        ConsumerRecord<byte[], byte[]> record = polled(offset);
        record.headers().add("trace", bytes("1"));
        for (String origin : origins) {
            record.headers().add(NAME, bytes(origin));
        }
        return record;
    }

    private static List<String> texts(Headers headers) {
        return StreamSupport.stream(headers.spliterator(), false)
                .map(header -> header.key() + "=" + Fixtures.text(header.value()))
                .toList();
    }

    @Test
    @DisplayName("is off by default")
    void off() {
        assertThat(OriginHeader.of(Fixtures.link("id", LinkOptions.defaults(true)))).isNull();
    }

    @Test
    @DisplayName("lets nothing be read before both ends are known; a side of Hermes always is")
    void known() {
        assertThat(toHermes.isKnown()).isFalse();
        toHermes.sourceIsAt("");
        toHermes.destinationIsAt("a");
        assertThat(toHermes.isKnown()).isFalse();
        toHermes.sourceIsAt("plant-1");
        assertThat(toHermes.isKnown()).isTrue();
        toPlant.sourceIsAt("b");
        toPlant.destinationIsAt(null);
        assertThat(toPlant.isKnown()).isFalse();
        toPlant.destinationIsAt("plant-1");
        assertThat(toPlant.isKnown()).isTrue();
    }

    @Test
    @Tag("case-L2")
    @DisplayName("is one more, the last, and leaves those that are there as they are")
    void added() {
        toHermes.sourceIsAt("plant-1");
        ConsumerRecord<byte[], byte[]> polled = record(1, "elsewhere/x");
        assertThat(texts(toHermes.added(polled.headers())))
                .containsExactly("trace=1", "from=elsewhere/x", "from=plant-1/orders");
        assertThat(texts(polled.headers())).containsExactly("trace=1", "from=elsewhere/x");
    }

    @Test
    @Tag("case-L1")
    @DisplayName("keeps a message from its way back, over any number of hops, and only that")
    void returning() {
        toPlant.destinationIsAt("plant-1");
        List<ConsumerRecord<byte[], byte[]>> records =
                List.of(
                        record(1),
                        record(2, "plant-1/orders"),
                        record(3, "plant-2/orders"),
                        record(4, "plant-1/orders", "x/y", "snc.acme.other"),
                        record(5, "plant-1/orders2"),
                        record(6, "x/y", "plant-1/orders"));
        List<Long> left = new ArrayList<>();
        toPlant.withoutReturning(records).forEach(record -> left.add(record.offset()));
        assertThat(left).containsExactly(1L, 3L, 5L);
        assertThat(toPlant.withoutReturning(records.subList(0, 1))).hasSize(1);
        assertThat(toHermes.withoutReturning(List.of(record(7, "snc.acme.orders")))).isEmpty();
    }

    @Test
    @DisplayName("is in what is shipped of a batch and of single messages, and holds reads back")
    void shipped() {
        MovedClock clock = new MovedClock();
        HandDrivenLink link =
                HandDrivenLink.with(LinkOptions.defaults(true).withOriginHeader(NAME), clock);
        PartitionFlow flow = new PartitionFlow(link, Fixtures.SOURCE, null, () -> 4, () -> {});
        assertThat(flow.wantsPause()).isTrue();
        link.readsFrom("plant-1");
        assertThat(flow.wantsPause()).isFalse();
        flow.startAt(0);
        flow.offer(flow.withoutRepeats(List.of(record(0), record(1, "snc.acme.orders"))));
        link.work();
        Delivery batch = link.inRoute.remove();
        batch.emitBatch(batch.batch());
        batch.complete();
        link.work();
        assertThat(HandDrivenLink.values(link.lastShipped())).containsExactly("0");
        assertThat(texts(link.lastShipped().headers(0)))
                .containsExactly("trace=1", "from=plant-1/orders");
        assertThat(link.counters().totals().returned()).isEqualTo(1);
        link.acknowledgeAll();
        flow.offer(List.of(record(2)));
        link.work();
        Delivery single = link.inRoute.remove();
        single.emit(Fixtures.outgoing("k", "routed"));
        single.complete();
        link.work();
        assertThat(texts(link.lastShipped().headers(0))).containsExactly("from=plant-1/orders");
    }
}
