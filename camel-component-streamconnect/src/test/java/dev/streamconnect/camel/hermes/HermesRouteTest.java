package dev.streamconnect.camel.hermes;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.EngineTestSupport;
import dev.streamconnect.camel.NotStartedException;
import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import dev.streamconnect.camel.RecordingEngine.RecordingLink;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.engine.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.Producer;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.util.URISupport;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HermesRouteTest extends EngineTestSupport {

    private static final String READER = "snc.acme.orders@snc.acme.reader";

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                onException(TimeoutException.class).handled(true).to("mock:unreachable");
                from("direct:async").to("hermes:orders").to("mock:after");
                from("direct:sync").to("hermes:orders?delivery=sync").to("mock:after");
                from("direct:forget").to("hermes:orders?delivery=fireAndForget").to("mock:after");
                from("direct:tombstone").to("hermes:orders?allowTombstone=true");
                from("direct:app")
                        .to("hermes:orders?applicationId=sn_streamconnect&producer.linger.ms=20");
                from("hermes:orders?groupId=reader").routeId("reader").to("mock:read");
                from("hermes:orders?groupId=batches&batch=true").to("mock:batches");
                from("hermes:orders?groupId=bad")
                        .routeId("bad")
                        .process(
                                exchange -> {
                                    throw new IllegalStateException("step");
                                });
            }
        };
    }

    @Test
    @DisplayName(
            "async: the exchange goes on at the acknowledgement, on no client thread, and holds no thread")
    void async() throws Exception {
        CompletableFuture<SendResult> ack = new CompletableFuture<>();
        engine.answer = () -> ack;
        MockEndpoint after = getMockEndpoint("mock:after");
        after.expectedMessageCount(1);
        String[] thread = new String[1];
        after.whenAnyExchangeReceived(exchange -> thread[0] = Thread.currentThread().getName());

        CompletableFuture<Exchange> sending =
                template.asyncSend(
                        "direct:async", exchange -> exchange.getMessage().setBody("hello"));
        await().until(() -> engine.sent.size() == 1);
        assertThat(sending).isNotDone();
        ack.complete(SendResult.at("snc.acme.orders", 1, 2, 3));

        MockEndpoint.assertIsSatisfied(context);
        assertThat(thread[0]).contains("StreamConnectContinuation");
        assertThat(engine.sent.get(0).topic()).isEqualTo("snc.acme.orders");
        assertThat(engine.sent.get(0).to().role()).isEqualTo(ClientRole.HERMES_PRODUCER);
        assertThat(engine.sent.get(0).outgoing().value()).isEqualTo(bytes("hello"));
    }

    @Test
    @DisplayName("sync: headers tell where the message was stored")
    void sync() {
        Exchange result =
                template.send("direct:sync", exchange -> exchange.getMessage().setBody("hello"));

        assertThat(result.getException()).isNull();
        assertThat(result.getMessage().getHeader(HermesConstants.PARTITION)).isEqualTo(3);
        assertThat(result.getMessage().getHeader(HermesConstants.OFFSET)).isEqualTo(42L);
        assertThat(result.getMessage().getHeader(HermesConstants.TIMESTAMP)).isEqualTo(1234L);
        assertThat(result.getMessage().getHeader(HermesConstants.TOPIC)).isEqualTo("t");
    }

    @Test
    @DisplayName("a secret in a URI is warned of by its name, since Camel's consoles show URIs")
    void secretInUri() {
        try (CapturedLogs logs = new CapturedLogs()) {
            context.getEndpoint("hermes:t?keystorePassword=hush&producer.linger.ms=5");
            context.getEndpoint("hermes:t?producer.sasl.jaas.config=hush");
            context.getEndpoint("hermes:t?producer.linger.ms=6");
            assertThat(logs.lines()).hasSize(2).noneMatch(line -> line.contains("hush"));
            assertThat(logs.lines().get(0)).contains("hermes:t: the URI has [keystorePassword]");
            assertThat(logs.lines().get(1)).contains("[producer.sasl.jaas.config]");
        }
    }

    @Test
    @DisplayName("fireAndForget: goes on at once; failures are counted and logged once in a while")
    void fireAndForget() {
        CompletableFuture<SendResult> never = new CompletableFuture<>();
        engine.answer = () -> never;
        try (CapturedLogs logs = new CapturedLogs()) {
            for (int i = 0; i < 3; i++) {
                assertThat(
                                template.send(
                                                "direct:forget",
                                                exchange -> exchange.getMessage().setBody("x"))
                                        .isFailed())
                        .isFalse();
            }
            never.completeExceptionally(new TimeoutException("gone"));
            assertThat(logs.lines()).filteredOn(line -> line.contains("not delivered")).hasSize(1);
        }
    }

    @Test
    @DisplayName("an unreachable Hermes is Kafka's TimeoutException, which onException sees")
    void unreachable() throws Exception {
        engine.answer =
                () -> CompletableFuture.failedFuture(new TimeoutException("no answer in 120 s"));
        MockEndpoint unreachable = getMockEndpoint("mock:unreachable");
        unreachable.expectedMessageCount(1);

        template.send("direct:async", exchange -> exchange.getMessage().setBody("hello"));

        MockEndpoint.assertIsSatisfied(context);
        assertThat(unreachable.getExchanges().get(0).getProperty(Exchange.EXCEPTION_CAUGHT))
                .isExactlyInstanceOf(TimeoutException.class);
    }

    @Test
    @DisplayName("a missing message is IllegalArgumentException; a tombstone needs a word for it")
    void missingMessage() {
        assertThat(template.send("direct:async", exchange -> {}).getException())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the message is missing (null body)");
        assertThat(template.send("direct:tombstone", exchange -> {}).getException()).isNull();
        assertThat(
                        template.send(
                                        "direct:async",
                                        exchange ->
                                                exchange.getMessage()
                                                        .setHeader(HermesConstants.TOMBSTONE, true))
                                .getException())
                .isNull();
        assertThat(engine.sent).hasSize(2).allMatch(sent -> sent.outgoing().value() == null);
    }

    @Test
    @DisplayName("key, headers, partition and the application's topic reach the destination")
    void parts() {
        template.send(
                "direct:app",
                exchange -> {
                    exchange.getMessage().setBody("{}");
                    exchange.getMessage().setHeader(HermesConstants.KEY, "customer-456");
                    exchange.getMessage().setHeader(HermesConstants.PARTITION, 1);
                    exchange.getMessage().setHeader("media-type", "application/json");
                });

        assertThat(engine.sent.get(0).topic()).isEqualTo("snc.acme.sn_streamconnect.orders");
        assertThat(engine.sent.get(0).to().properties()).containsEntry("linger.ms", "20");
        assertThat(engine.sent.get(0).outgoing().key()).isEqualTo(bytes("customer-456"));
        assertThat(engine.sent.get(0).outgoing().partition()).isEqualTo(1);
        assertThat(shown(engine.sent.get(0).outgoing().headers()))
                .containsExactly("media-type=application/json");
    }

    @Test
    @DisplayName("a producer that is not started says so")
    void notStarted() throws Exception {
        Producer producer = context.getEndpoint("hermes:orders").createProducer();
        Exchange exchange = producer.getEndpoint().createExchange();
        exchange.getMessage().setBody("x");

        producer.process(exchange);

        assertThat(exchange.getException())
                .isInstanceOf(NotStartedException.class)
                .hasMessageContaining("hermes:snc.acme.orders is not started");
    }

    @Test
    @DisplayName("a consumer reads both sides and settles at the end of the exchange")
    void consumes() throws Exception {
        RecordingLink link = engine.links.get(READER);
        assertThat(link.definition.sources())
                .extracting(ConnectionSettings::role)
                .containsExactly(ClientRole.HERMES_A, ClientRole.HERMES_B);
        assertThat(link.definition.destination()).isNull();
        MockEndpoint read = getMockEndpoint("mock:read");
        read.expectedBodiesReceived((Object) bytes("v"));
        read.expectedHeaderReceived("CamelHermesOffset", 7L);
        read.expectedHeaderReceived("CamelHermesPartition", 2);
        read.expectedHeaderReceived("CamelHermesTopic", "source");
        read.expectedHeaderReceived("CamelHermesSide", "A");
        read.expectedHeaderReceived("a", "1");

        RecordingDelivery delivery = link.deliver(record(7, "k", "v", "a", "1"));

        MockEndpoint.assertIsSatisfied(context);
        assertThat(delivery.completed).isTrue();
        assertThat(delivery.settlements).isEqualTo(1);
        assertThat(read.getExchanges().get(0).getProperty("CamelStreamConnectRecord"))
                .isSameAs(delivery.batch().records().get(0));
    }

    @Test
    @DisplayName("batch=true: the body is the batch")
    void batches() throws Exception {
        MockEndpoint batches = getMockEndpoint("mock:batches");
        batches.expectedMessageCount(1);

        RecordingDelivery delivery =
                engine.links
                        .get("snc.acme.orders@snc.acme.batches")
                        .deliver(record(7, "k", "v"), record(8, "k", "w"));

        MockEndpoint.assertIsSatisfied(context);
        assertThat(batches.getExchanges().get(0).getMessage().getBody(RecordBatch.class))
                .isSameAs(delivery.batch());
        assertThat(delivery.completed).isTrue();
    }

    @Test
    @DisplayName(
            "a failed step fails the delivery; the exception handler hears of it once however often it is retried")
    void failedStep() {
        RecordingLink link = engine.links.get("snc.acme.orders@snc.acme.bad");
        try (CapturedLogs logs = new CapturedLogs()) {
            RecordingDelivery first = link.deliver(record(7, "k", "v"));
            RecordingDelivery again = link.deliver(record(7, "k", "v"));

            assertThat(first.failure).isInstanceOf(IllegalStateException.class).hasMessage("step");
            assertThat(again.failure).hasMessage("step");
            assertThat(first.settlements).isEqualTo(1);
            assertThat(logs.lines())
                    .filteredOn(line -> line.startsWith("a step of the route failed"))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("suspend pauses the link, resume takes it up, stop closes it within the limit")
    void lifecycle() throws Exception {
        RecordingLink link = engine.links.get(READER);

        context.getRouteController().suspendRoute("reader");
        assertThat(link.paused).isTrue();
        context.getRouteController().resumeRoute("reader");
        assertThat(link.paused).isFalse();
        context.getRouteController().stopRoute("reader");
        assertThat(link.closed).isTrue();
        // Camel's own limit in these tests is 10 s: links are to settle before it.
        assertThat(link.limit).isPositive().isLessThan(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("the engine is closed with the context, and destinations are given back")
    void closes() {
        assertThat(engine.openDestinations).isPositive();
        context.stop();

        assertThat(engine.closed).isTrue();
        assertThat(engine.openDestinations).isZero();
    }

    @Test
    @DisplayName("Camel refuses unknown options, and faults of known ones name them")
    void refusesOptions() {
        assertThatThrownBy(() -> context.getEndpoint("hermes:orders?grupId=x"))
                .isInstanceOf(ResolveEndpointFailedException.class)
                .hasMessageContaining("grupId");
        assertThatThrownBy(() -> context.getEndpoint("hermes:orders?compressionType=zstd"))
                .hasStackTraceContaining(
                        "compressionType: Hermes does not accept zstd; use none, gzip or lz4");
        assertThatThrownBy(
                        () -> context.getEndpoint("hermes:orders").createConsumer(exchange -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("groupId: is missing");
    }

    @Test
    @Tag("case-P1")
    @DisplayName("P1: a wish for idempotence is warned about with the reason")
    void idempotence() {
        try (CapturedLogs logs = new CapturedLogs()) {
            context.getEndpoint("hermes:orders?producer.enable.idempotence=true");
            assertThat(logs.lines())
                    .filteredOn(
                            line ->
                                    line.contains(
                                            "enable.idempotence=true can lose acknowledged messages"))
                    .hasSize(1);
        }
    }

    @Test
    @Tag("case-H7")
    @DisplayName("H7: a proxy of the JVM is said not to apply, once, and changes no client setting")
    void proxy() throws Exception {
        List<Map<String, Object>> without = clientSettings(context);
        System.setProperty("https.proxyHost", "proxy.example.com");
        System.setProperty("http.proxyHost", "proxy.example.com");
        try (CapturedLogs logs = new CapturedLogs();
                DefaultCamelContext behindProxy = new DefaultCamelContext()) {
            HermesConfiguration form =
                    behindProxy.getComponent("hermes", HermesComponent.class).getConfiguration();
            form.setInstance("acme");
            form.getProducerProperties().put("security.protocol", "PLAINTEXT");
            form.getConsumerProperties().put("security.protocol", "PLAINTEXT");
            behindProxy.start();
            behindProxy.getEndpoint("hermes:orders");
            behindProxy.getEndpoint("hermes:decisions");
            assertThat(clientSettings(behindProxy)).isEqualTo(without);
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("proxy"))
                    .singleElement()
                    .asString()
                    .contains("https.proxyHost does not apply to Hermes");
        } finally {
            System.clearProperty("https.proxyHost");
            System.clearProperty("http.proxyHost");
        }
    }

    /** What the clients of the component are built with: the producer, then both consumers. */
    private static List<Map<String, Object>> clientSettings(CamelContext of) {
        HermesSettings settings = of.getComponent("hermes", HermesComponent.class).settings();
        List<Map<String, Object>> all = new ArrayList<>();
        all.add(KafkaClients.producerConfig(settings.producer(), "id"));
        settings.consumers("snc.acme.reader")
                .forEach(side -> all.add(KafkaClients.consumerConfig(side, "id")));
        return all;
    }

    @Test
    @DisplayName("passwords do not show in URIs as Camel logs them")
    void hidesPasswords() {
        assertThat(
                        URISupport.sanitizeUri(
                                "hermes:orders?keystorePassword=secret1&keyPassword=secret2"
                                        + "&truststorePassword=secret3"))
                .doesNotContain("secret");
    }
}
