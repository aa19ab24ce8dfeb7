package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.SOURCE;
import static dev.streamconnect.engine.Fixtures.SOURCE_PARTITIONS;
import static dev.streamconnect.engine.Fixtures.options;
import static dev.streamconnect.engine.Fixtures.outgoing;
import static dev.streamconnect.engine.Fixtures.polled;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The timestamp of a polled record is 1000 and its offset. */
@DisplayName("The first record that is not settled")
class PartitionHeadTest {

    private final MovedClock clock = new MovedClock();

    private PartitionFlow flow(HandDrivenLink link) {
        PartitionFlow flow = new PartitionFlow(link, SOURCE, null, SOURCE_PARTITIONS, () -> {});
        flow.startAt(0);
        return flow;
    }

    @Test
    @DisplayName("is buffered, in the route, in flight by its acknowledgements, and then none")
    void batches() {
        HandDrivenLink link = HandDrivenLink.with(options(true, 2, 10_000), clock);
        PartitionFlow flow = flow(link);
        assertThat(flow.headTimestamp()).isNegative();
        flow.offer(polled(0, 10));
        assertThat(flow.headTimestamp()).isEqualTo(1_000);
        link.work();
        assertThat(flow.headTimestamp()).isEqualTo(1_000);
        Delivery delivery = link.inRoute.poll();
        delivery.emitBatch(delivery.batch());
        delivery.complete();
        assertThat(flow.headTimestamp()).isEqualTo(1_000);
        link.acknowledge(4);
        assertThat(flow.headTimestamp()).isEqualTo(1_004);
        link.acknowledgeAll();
        assertThat(flow.headTimestamp()).isNegative();
    }

    @Test
    @DisplayName("is the source's, whatever timestamp the route gives what it sends")
    void routed() {
        HandDrivenLink link = HandDrivenLink.with(options(false, 100, 10_000), clock);
        PartitionFlow flow = flow(link);
        flow.offer(polled(5, 8));
        link.work();
        link.inRoute.forEach(
                delivery -> {
                    delivery.emit(outgoing("k", "v"));
                    delivery.complete();
                });
        assertThat(flow.headTimestamp()).isEqualTo(1_005);
        link.acknowledgeAll();
        assertThat(flow.headTimestamp()).isEqualTo(1_006);
        link.acknowledgeEverything();
        assertThat(flow.headTimestamp()).isNegative();
    }

    @Test
    @DisplayName("after a stop all below the client's position counts that is not settled")
    void behind() {
        HandDrivenLink link = HandDrivenLink.with(options(true, 1, 10_000), clock);
        PartitionFlow flow = flow(link);
        flow.offer(polled(0, 10));
        assertThat(flow.behind(10)).isEqualTo(10);
        flow.stop();
        assertThat(flow.pending()).isZero();
        assertThat(flow.behind(10)).isEqualTo(10);
    }
}
