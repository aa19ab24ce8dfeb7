package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import dev.streamconnect.engine.OutgoingRecord;
import org.apache.camel.builder.RouteBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Without a tracer in the context")
class TraceContextTest extends ReplicationTestSupport {

    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    @Override
    protected String topicReplications() {
        return toServiceNow("one-up", "one-up", ", route: none")
                + toServiceNow("batch-up", "batch-up", ", route: none")
                + "- { id: one-down, direction: fromServiceNow, topicName: one-down, serviceNowTopic: one-down, route: none }\n"
                + "- { id: batch-down, direction: fromServiceNow, topicName: batch-down, serviceNowTopic: batch-down, route: none }\n";
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                for (String direction : new String[] {"up", "down"}) {
                    from("replication:one-" + direction)
                            .log("${headers}")
                            .filter(simple("${body} != null"))
                            .to("replication:one-" + direction);
                    from("replication:batch-" + direction + "?batch=true")
                            .log("${headers}")
                            .to("replication:batch-" + direction);
                }
            }
        };
    }

    /** As a traced sender makes it, one header twice, one that is no text. */
    static ConsumerRecord<byte[], byte[]> traced() {
        ConsumerRecord<byte[], byte[]> record =
                record(
                        7,
                        "k",
                        "v",
                        "traceparent",
                        PARENT,
                        "tracestate",
                        "vendor=1,other=2",
                        "baggage",
                        "user=a%20b;p=1,n=2",
                        "baggage",
                        "second=x");
        record.headers().add("b3", new byte[] {(byte) 0xff, 0, 1});
        return record;
    }

    @Test
    @DisplayName("the trace context of a record passes untouched, both directions")
    void untouched() {
        for (String direction : new String[] {"up", "down"}) {
            ConsumerRecord<byte[], byte[]> record = traced();
            OutgoingRecord sent = engine.deliver("one-" + direction, record).only();
            assertThat(sent.headers()).containsExactly(record.headers().toArray());
        }
    }

    @Test
    @DisplayName("and so does a batch")
    void batch() {
        assertBatchUntouched();
    }

    void assertBatchUntouched() {
        for (String direction : new String[] {"up", "down"}) {
            ConsumerRecord<byte[], byte[]> record = traced();
            RecordingDelivery delivery = engine.deliver("batch-" + direction, record);
            assertThat(delivery.emitted).containsExactly(delivery.batch());
            assertThat(record.headers().toArray()).isEqualTo(traced().headers().toArray());
        }
    }
}
