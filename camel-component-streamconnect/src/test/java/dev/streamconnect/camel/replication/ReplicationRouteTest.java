package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.OutgoingRecord;
import java.util.List;
import org.apache.camel.AggregationStrategy;
import org.apache.camel.builder.RouteBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** Routes of the user's own with a step of each kind between both ends. */
class ReplicationRouteTest extends ReplicationTestSupport {

    private static final List<String> STEPS =
            List.of(
                    "plain",
                    "filter",
                    "split",
                    "choice",
                    "threads",
                    "delay",
                    "multicast",
                    "handled",
                    "dotry",
                    "transform",
                    "aggregate",
                    "wiretap",
                    "seda",
                    "failing",
                    "deadletter",
                    "rollback",
                    "binary",
                    "mdc");

    @Override
    protected String topicReplications() {
        StringBuilder all = new StringBuilder();
        STEPS.forEach(step -> all.append(toServiceNow(step, step, ", route: none")));
        return all.toString();
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("replication:plain").to("replication:plain");
                from("replication:filter")
                        .filter(header("keep").isEqualTo("yes"))
                        .to("replication:filter");
                from("replication:split").split(body().tokenize(",")).to("replication:split");
                from("replication:choice")
                        .choice()
                        .when(header("kind").isEqualTo("a"))
                        .setHeader("seen", constant("a"))
                        .to("replication:choice")
                        .otherwise()
                        .to("mock:other");
                from("replication:threads").threads(2).to("replication:threads");
                from("replication:delay").delay(20).asyncDelayed().to("replication:delay");
                from("replication:multicast")
                        .multicast()
                        .parallelProcessing()
                        .to("replication:multicast", "mock:copy");
                from("replication:handled")
                        .onException(IllegalStateException.class)
                        .handled(true)
                        .to("mock:handled")
                        .end()
                        .to("replication:handled")
                        .throwException(new IllegalStateException("after"));
                from("replication:dotry")
                        .doTry()
                        .throwException(new IllegalStateException("inside"))
                        .doCatch(IllegalStateException.class)
                        .setHeader("caught", constant("yes"))
                        .end()
                        .to("replication:dotry");
                from("replication:transform")
                        .convertBodyTo(String.class)
                        .transform(body().append("!"))
                        .to("replication:transform");
                from("replication:aggregate")
                        .routeId("aggregating")
                        .aggregate(
                                constant(true),
                                (AggregationStrategy) (first, next) -> first == null ? next : first)
                        .completionSize(2)
                        .to("replication:aggregate");
                from("replication:wiretap").wireTap("direct:tapped").to("replication:wiretap");
                from("direct:tapped").delay(100).to("replication:wiretap");
                from("replication:seda").to("seda:next");
                from("seda:next").delay(50).to("replication:seda");
                from("replication:failing")
                        .to("replication:failing")
                        .throwException(new IllegalStateException("x"));
                from("replication:deadletter")
                        .errorHandler(deadLetterChannel("mock:dead"))
                        .throwException(new IllegalStateException("x"));
                from("replication:rollback").markRollbackOnly();
                from("replication:binary").log("${headers}").to("replication:binary");
                from("replication:mdc")
                        .process(
                                exchange ->
                                        exchange.getMessage().setHeader("id", MDC.get(LinkLog.KEY)))
                        .to("replication:mdc");
            }
        };
    }

    @Test
    @DisplayName("an untouched record is emitted as it came and the delivery completes")
    void plain() {
        RecordingDelivery delivery =
                engine.deliver("plain", record(5, "k", "v", "a", "1", "A", "2", "CamelX", "3"));

        assertThat(delivery.completed).isTrue();
        OutgoingRecord outgoing = delivery.only();
        ConsumerRecord<byte[], byte[]> raw = delivery.batch().records().get(0);
        assertThat(outgoing.key()).isSameAs(raw.key());
        assertThat(outgoing.value()).isSameAs(raw.value());
        assertThat(shown(outgoing.headers())).containsExactly("a=1", "A=2", "CamelX=3");
        assertThat(outgoing.timestamp()).isEqualTo(raw.timestamp());
        assertThat(outgoing.partition()).isNull();
        assertThat(outgoing.keepsSourcePartition()).isTrue();
        assertThat(engine.sent).isEmpty();
        assertThat(delivery.settlements).isEqualTo(1);
    }

    @Test
    @DisplayName("log lines of a route carry the id in the MDC, and the thread keeps none")
    void mdc() {
        assertThat(shown(engine.deliver("mdc", record(5, "k", "v")).only().headers()))
                .containsExactly("id=mdc");
        assertThat(MDC.get(LinkLog.KEY)).isNull();
    }

    @Test
    @DisplayName("a tombstone passes as a tombstone")
    void tombstone() {
        assertThat(engine.deliver("plain", record(5, "k", null)).only().value()).isNull();
    }

    @Test
    @DisplayName("what a filter drops is completed without anything emitted")
    void filter() {
        assertThat(engine.deliver("filter", record(1, "k", "v", "keep", "yes")).emitted).hasSize(1);
        RecordingDelivery dropped = engine.deliver("filter", record(2, "k", "v", "keep", "no"));
        assertThat(dropped.emitted).isEmpty();
        assertThat(dropped.completed).isTrue();
    }

    @Test
    @DisplayName("split emits each part, with key and headers of the source")
    void split() {
        RecordingDelivery delivery = engine.deliver("split", record(1, "k", "a,b,c", "h", "1"));

        assertThat(delivery.completed).isTrue();
        assertThat(delivery.emitted)
                .extracting(part -> new String(((OutgoingRecord) part).value()))
                .containsExactly("a", "b", "c");
        assertThat(delivery.emitted)
                .allSatisfy(
                        part -> {
                            assertThat(((OutgoingRecord) part).key()).isEqualTo(bytes("k"));
                            assertThat(shown(((OutgoingRecord) part).headers()))
                                    .containsExactly("h=1");
                        });
    }

    @Test
    @DisplayName("choice and setHeader: the new header is appended")
    void choice() throws Exception {
        getMockEndpoint("mock:other").expectedMessageCount(1);
        RecordingDelivery taken = engine.deliver("choice", record(1, "k", "v", "kind", "a"));
        RecordingDelivery other = engine.deliver("choice", record(2, "k", "v", "kind", "b"));

        assertThat(shown(taken.only().headers())).containsExactly("kind=a", "seen=a");
        assertThat(other.emitted).isEmpty();
        assertThat(other.completed).isTrue();
        assertMocks();
    }

    @Test
    @DisplayName("threads and asyncDelayed: the delivery is open until its exchange is done")
    void async() {
        for (String step : List.of("threads", "delay")) {
            RecordingDelivery delivery = engine.deliver(step, record(1, "k", "v"));

            await().until(() -> delivery.completed);
            assertThat(delivery.emitted).hasSize(1);
            assertThat(delivery.settlements).isEqualTo(1);
        }
        assertThat(engine.sent).isEmpty();
    }

    @Test
    @DisplayName("multicast: the copies know their delivery")
    void multicast() throws Exception {
        getMockEndpoint("mock:copy").expectedMessageCount(1);
        RecordingDelivery delivery = engine.deliver("multicast", record(1, "k", "v"));

        await().until(() -> delivery.completed);
        assertThat(delivery.emitted).hasSize(1);
        assertThat(engine.sent).isEmpty();
        assertMocks();
    }

    @Test
    @DisplayName("a handled exception counts as completed, and what was emitted before it stays")
    void handled() throws Exception {
        getMockEndpoint("mock:handled").expectedMessageCount(1);
        RecordingDelivery delivery = engine.deliver("handled", record(1, "k", "v"));

        assertThat(delivery.completed).isTrue();
        assertThat(delivery.failure).isNull();
        assertThat(delivery.emitted).hasSize(1);
        assertMocks();
    }

    @Test
    @DisplayName("doTry and a dead letter channel count as completed")
    void caught() {
        RecordingDelivery tried = engine.deliver("dotry", record(1, "k", "v"));
        assertThat(shown(tried.only().headers())).containsExactly("caught=yes");
        assertThat(tried.completed).isTrue();
        assertThat(engine.deliver("deadletter", record(1, "k", "v")).completed).isTrue();
    }

    @Test
    @DisplayName("transform: the new body goes out with the rest of the source")
    void transform() {
        OutgoingRecord outgoing =
                engine.deliver("transform", record(1, "k", "v", "a", "1", "a", "2")).only();

        assertThat(outgoing.value()).isEqualTo(bytes("v!"));
        assertThat(shown(outgoing.headers())).containsExactly("a=1", "a=2");
    }

    @Test
    @DisplayName("an exception fails the delivery with its cause, once")
    void failing() {
        RecordingDelivery delivery = engine.deliver("failing", record(1, "k", "v"));

        assertThat(delivery.failure).isInstanceOf(IllegalStateException.class).hasMessage("x");
        assertThat(delivery.completed).isFalse();
        assertThat(delivery.settlements).isEqualTo(1);
    }

    @Test
    @DisplayName("markRollbackOnly fails the delivery: nothing is lost by it")
    void rollback() {
        RecordingDelivery delivery = engine.deliver("rollback", record(1, "k", "v"));

        assertThat(delivery.failure).isNotNull();
        assertThat(delivery.completed).isFalse();
    }

    @Test
    @DisplayName(
            "seda takes the settlement with it: the delivery is open until the other route is done")
    void seda() {
        RecordingDelivery delivery = engine.deliver("seda", record(1, "k", "v"));

        assertThat(delivery.settled()).isFalse();
        await().until(() -> delivery.completed);
        assertThat(delivery.emitted).hasSize(1);
        assertThat(engine.sent).isEmpty();
    }

    @Test
    @DisplayName("aggregate warns at the start of its route, and what comes late is sent directly")
    void aggregate() throws Exception {
        try (CapturedLogs logs = new CapturedLogs()) {
            context.getRouteController().stopRoute("aggregating");
            context.getRouteController().startRoute("aggregating");
            assertThat(logs.lines())
                    .filteredOn(line -> line.startsWith("route aggregating: aggregate settles"))
                    .hasSize(1);

            RecordingDelivery first = engine.deliver("aggregate", record(1, "k", "v"));
            assertThat(first.completed).isTrue();
            engine.deliver("aggregate", record(2, "k", "w"));
            engine.deliver("aggregate", record(3, "k", "x"));
            engine.deliver("aggregate", record(4, "k", "y"));

            await().until(() -> engine.sent.size() == 2);
            assertThat(engine.sent.get(0).topic()).isEqualTo("snc.acme.aggregate");
            assertThat(engine.sent.get(0).outgoing().value()).isEqualTo(bytes("v"));
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("after its source was settled"))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("a wire tap that is late sends directly and the main route completes")
    void wireTap() {
        RecordingDelivery delivery = engine.deliver("wiretap", record(1, "k", "v"));

        assertThat(delivery.completed).isTrue();
        assertThat(delivery.emitted).hasSize(1);
        await().until(() -> engine.sent.size() == 1);
    }

    @Test
    @DisplayName(
            "a message from elsewhere is sent directly with a warning, and its failure is the exchange's")
    void elsewhere() {
        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(
                            template.send(
                                            "replication:plain",
                                            exchange -> exchange.getMessage().setBody("x"))
                                    .getException())
                    .isNull();
            assertThat(engine.sent).hasSize(1);
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("came from elsewhere"))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("names that steer are neither shown nor lost")
    void binary() {
        OutgoingRecord outgoing =
                engine.deliver(
                                "binary",
                                record(
                                        1,
                                        "k",
                                        "v",
                                        "CamelReplicationPartition",
                                        "9",
                                        "kafka.KEY",
                                        "evil"))
                        .only();

        assertThat(shown(outgoing.headers()))
                .containsExactly("CamelReplicationPartition=9", "kafka.KEY=evil");
        assertThat(outgoing.partition()).isNull();
        assertThat(outgoing.key()).isEqualTo(bytes("k"));
    }
}
