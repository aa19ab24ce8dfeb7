package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.RunningCamelKafka;
import dev.streamconnect.engine.OutgoingRecord;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Both spellings that camel-kafka had, written out as in a YAML route; which one is right depends
 * on the Camel that these tests run on.
 */
@Tag("case-F9")
@DisplayName("Headers of camel-kafka, in the spelling of the one that runs,")
class CamelKafkaHeadersTest extends ReplicationTestSupport {

    private static final long TIME = 1_700_000_000_000L;

    @Override
    protected String topicReplications() {
        return toServiceNow("old", "old", ", route: none")
                + toServiceNow("new", "new", ", route: none");
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:old").to("direct:old").to("replication:old");
                from("replication:new").to("direct:new").to("replication:new");
                from("direct:hermes-old").to("direct:old").to("hermes:orders");
                from("direct:hermes-new").to("direct:new").to("hermes:orders");
                from("direct:old")
                        .setHeader("kafka.KEY", constant("a key"))
                        .setHeader("kafka.PARTITION_KEY", constant(5))
                        .setHeader("kafka.OVERRIDE_TIMESTAMP", constant(TIME));
                from("direct:new")
                        .setHeader("CamelKafkaKey", constant("a key"))
                        .setHeader("CamelKafkaPartitionKey", constant(5))
                        .setHeader("CamelKafkaOverrideTimestamp", constant(TIME));
            }
        };
    }

    @Test
    @DisplayName("say with which key, partition and timestamp replication: sends")
    void replication() {
        assertThat(RunningCamelKafka.header("KEY")).isIn("kafka.KEY", "CamelKafkaKey");
        for (String spelling : new String[] {"old", "new"}) {
            OutgoingRecord sent = engine.deliver(spelling, record(1, "k", "v", "a", "1")).only();
            if (spelling.equals(running())) {
                assertThat(sent.key()).isEqualTo(bytes("a key"));
                assertThat(sent.partition()).isEqualTo(5);
                assertThat(sent.timestamp()).isEqualTo(TIME);
            } else {
                assertThat(sent.key()).isEqualTo(bytes("k"));
                assertThat(sent.partition()).isNull();
                assertThat(sent.timestamp()).isNotEqualTo(TIME);
            }
            assertThat(shown(sent.headers())).containsExactly("a=1");
        }
    }

    @Test
    @DisplayName("say with which key, partition and timestamp hermes: sends")
    void hermes() {
        for (String spelling : new String[] {"old", "new"}) {
            engine.sent.clear();
            template.sendBody("direct:hermes-" + spelling, "v");
            OutgoingRecord sent = engine.sent.get(0).outgoing();
            boolean understood = spelling.equals(running());
            assertThat(sent.key()).isEqualTo(understood ? bytes("a key") : null);
            assertThat(sent.partition()).isEqualTo(understood ? 5 : null);
            assertThat(sent.timestamp()).isEqualTo(understood ? TIME : null);
            assertThat(sent.headers()).isEmpty();
        }
    }

    private static String running() {
        return RunningCamelKafka.header("KEY").startsWith("kafka.") ? "old" : "new";
    }
}
