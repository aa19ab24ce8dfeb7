package dev.streamconnect.camel;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.engine.OutgoingRecord;
import dev.streamconnect.engine.SendResult;
import dev.streamconnect.record.StartFrom;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.impl.engine.HashMapHeadersMapFactory;
import org.apache.camel.support.DefaultExchange;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutgoingRecordsTest {

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final CamelKafkaHeaders kafka = CamelKafkaHeaders.of(context);
    private final OutgoingRecords rules = OutgoingRecords.of(context, HeaderNames.REPLICATION);

    @BeforeEach
    void start() {
        context.start();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    @Tag("case-F1")
    @DisplayName("F1: null stays null and empty stays empty")
    void nullAndEmpty() {
        assertThat(untouched(record(1, "k", null)).value()).isNull();
        assertThat(untouched(record(1, "k", "")).value()).isEmpty();
        assertThat(untouched(record(1, "k", " ")).value()).containsExactly(' ');
    }

    @Test
    @Tag("case-F2")
    @DisplayName("F2: key bytes are the same array, null stays null, empty stays empty")
    void keys() {
        ConsumerRecord<byte[], byte[]> raw =
                raw(new byte[] {0, (byte) 0xff}, bytes("v"), new RecordHeaders());

        assertThat(untouched(raw).key()).isSameAs(raw.key());
        assertThat(untouched(record(1, null, "v")).key()).isNull();
        assertThat(untouched(record(1, "", "v")).key()).isEmpty();
        assertThat(untouched(raw).keepsSourcePartition()).isTrue();
    }

    @Test
    @Tag("case-F5")
    @DisplayName("F5: equal header names keep count and order")
    void equalNames() {
        OutgoingRecord outgoing =
                untouched(record(1, "k", "v", "a", "1", "a", "2", "b", "3", "a", "4"));

        assertThat(shown(outgoing.headers())).containsExactly("a=1", "a=2", "b=3", "a=4");
    }

    @Test
    @Tag("case-F7")
    @DisplayName(
            "F7: header names of any kind go out, also those that Camel's map folds or filters")
    void anyName() {
        OutgoingRecord outgoing =
                untouched(
                        record(
                                1,
                                "k",
                                "v",
                                "CamelFoo",
                                "1",
                                "kafka.trace",
                                "2",
                                "Trace-Id",
                                "3",
                                "trace-id",
                                "4",
                                "",
                                "5",
                                "null",
                                null));

        assertThat(shown(outgoing.headers()))
                .containsExactly(
                        "CamelFoo=1",
                        "kafka.trace=2",
                        "Trace-Id=3",
                        "trace-id=4",
                        "=5",
                        "null=null");
    }

    @Test
    @Tag("case-F8")
    @DisplayName("F8: a record's header never becomes a control header, in any case of letters")
    void dataNeverSteers() {
        Exchange exchange =
                exchange(
                        record(
                                1,
                                "k",
                                "v",
                                "CamelKafkaOverrideTopic",
                                "evil",
                                "kafka.OVERRIDE_TOPIC",
                                "evil",
                                "cAmElHttpUri",
                                "evil",
                                "KAFKA.KEY",
                                "evil",
                                "org.Apache.Camel.x",
                                "evil",
                                "CamelReplicationPartition",
                                "9",
                                "CamelReplicationKey",
                                "evil",
                                "cAmelAuthentication",
                                "evil"));

        assertThat(exchange.getMessage().getHeaders().values())
                .noneMatch(value -> "evil".equals(value) || "9".equals(value));
        OutgoingRecord outgoing = rules.from(exchange);
        assertThat(outgoing.headers()).hasSize(8);
        assertThat(outgoing.key()).isEqualTo(bytes("k"));
        assertThat(outgoing.partition()).isNull();
    }

    @Test
    @Tag("case-F10")
    @DisplayName("F10: binary payload and binary header pass without a converter")
    void binary() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Headers headers = new RecordHeaders().add("bin", new byte[] {(byte) 0xc3, (byte) 0x28});
        ConsumerRecord<byte[], byte[]> raw = raw(new byte[] {(byte) 0xfe}, all, headers);

        OutgoingRecord outgoing = untouched(raw);

        assertThat(outgoing.value()).isSameAs(all);
        assertThat(outgoing.headers()).containsExactlyElementsOf(headers);
        assertThat(exchange(raw).getMessage().getHeader("bin")).isInstanceOf(byte[].class);
    }

    @Test
    @Tag("case-F11")
    @DisplayName("F11: the source's timestamp is kept; a missing one stays missing")
    void timestamp() {
        assertThat(untouched(record(1, "k", "v")).timestamp()).isEqualTo(1_000_000_000_000L);
        ConsumerRecord<byte[], byte[]> none =
                new ConsumerRecord<>("t", 0, 0, bytes("k"), bytes("v"));
        assertThat(untouched(none).timestamp()).isNull();
    }

    @Test
    @DisplayName("a header set in the route replaces all of its name at the place of the first")
    void setHeader() {
        OutgoingRecord outgoing =
                changed(
                        record(1, "k", "v", "a", "1", "b", "2", "A", "3"),
                        message -> message.setHeader("A", "new"));

        assertThat(shown(outgoing.headers())).containsExactly("a=new", "b=2");
    }

    @Test
    @DisplayName("where the context minds case in header names, so do the rules")
    void caseSensitive() throws Exception {
        try (DefaultCamelContext minding = new DefaultCamelContext()) {
            minding.getCamelContextExtension().setHeadersMapFactory(new HashMapHeadersMapFactory());
            minding.start();
            Exchange exchange = new DefaultExchange(minding);
            fill(exchange, record(1, "k", "v", "a", "1", "b", "2", "A", "3", "a", "4"));
            exchange.getMessage().setHeader("A", "new");

            assertThat(shown(rules.from(exchange).headers()))
                    .containsExactly("a=1", "b=2", "A=new", "a=4");
        }
    }

    @Test
    @DisplayName("a header set to the text that it had is a change: repeats are replaced")
    void setToTheSameText() {
        OutgoingRecord outgoing =
                changed(
                        record(1, "k", "v", "a", "1", "a", "2"),
                        message -> message.setHeader("a", new String("2".toCharArray())));

        assertThat(shown(outgoing.headers())).containsExactly("a=2");
    }

    @Test
    @DisplayName("a removed header removes all of its name, and those with reserved names stay")
    void removeHeader() {
        assertThat(
                        shown(
                                changed(
                                                record(1, "k", "v", "a", "1", "b", "2", "a", "3"),
                                                message -> message.removeHeader("a"))
                                        .headers()))
                .containsExactly("b=2");
        assertThat(
                        shown(
                                changed(
                                                record(1, "k", "v", "CamelFoo", "1", "b", "2"),
                                                message -> message.removeHeaders("*"))
                                        .headers()))
                .containsExactly("CamelFoo=1");
    }

    @Test
    @DisplayName("new headers are appended by camel-kafka's types, and reserved names stay inside")
    void newHeaders() {
        OutgoingRecord outgoing =
                changed(
                        record(1, "k", "v", "a", "1"),
                        message -> {
                            message.setHeader("long", 1L);
                            message.setHeader("int", 2);
                            message.setHeader("double", 3.0);
                            message.setHeader("bool", true);
                            message.setHeader("bytes", new byte[] {9});
                            message.setHeader("list", List.of(1));
                            message.setHeader("nothing", null);
                            message.setHeader("CamelNew", "x");
                            message.setHeader("kafka.NEW", "x");
                            message.setHeader("org.apache.camel.new", "x");
                        });

        Map<String, byte[]> values = new TreeMap<>();
        outgoing.headers().forEach(header -> values.put(header.key(), header.value()));
        assertThat(values).containsOnlyKeys("a", "long", "int", "double", "bool", "bytes");
        assertThat(values.get("long")).isEqualTo(ByteBuffer.allocate(8).putLong(1).array());
        assertThat(values.get("int")).isEqualTo(ByteBuffer.allocate(4).putInt(2).array());
        assertThat(values.get("double")).isEqualTo(ByteBuffer.allocate(8).putDouble(3).array());
        assertThat(values.get("bool")).isEqualTo(bytes("true"));
        assertThat(outgoing.headers().iterator().next().key()).isEqualTo("a");
    }

    @Test
    @DisplayName(
            "our key header wins if the route set it; removing it is no change, null sends none")
    void keyHeader() {
        ConsumerRecord<byte[], byte[]> raw = record(1, "k", "v");

        OutgoingRecord set =
                changed(raw, message -> message.setHeader("CamelReplicationKey", "other"));
        assertThat(set.key()).isEqualTo(bytes("other"));
        assertThat(set.keepsSourcePartition()).isFalse();
        assertThat(changed(raw, message -> message.setHeader("CamelHermesKey", 7)).key())
                .isEqualTo(bytes("7"));
        assertThat(changed(raw, message -> message.setHeader("CamelReplicationKey", null)).key())
                .isNull();
        assertThat(changed(raw, message -> message.removeHeaders("Camel*")).key())
                .isEqualTo(bytes("k"));
    }

    @Test
    @Tag("case-F9")
    @DisplayName("F9: key, partition and timestamp of the camel-kafka that runs are understood")
    void camelKafkaHeaders() {
        OutgoingRecord outgoing =
                changed(
                        record(1, "k", "v"),
                        message -> {
                            message.setHeader(RunningCamelKafka.header("KEY"), "other");
                            message.setHeader(RunningCamelKafka.header("PARTITION_KEY"), 5);
                            message.setHeader(RunningCamelKafka.header("OVERRIDE_TIMESTAMP"), 77L);
                        });

        assertThat(outgoing.key()).isEqualTo(bytes("other"));
        assertThat(outgoing.partition()).isEqualTo(5);
        assertThat(outgoing.timestamp()).isEqualTo(77L);
        assertThat(outgoing.headers()).isEmpty();
    }

    /** The names as another patch line has them. */
    public static final class OtherConstants {
        public static final String KEY = "CamelKafkaKey";
        public static final String PARTITION_KEY = "CamelKafkaPartitionKey";
        public static final String OVERRIDE_TIMESTAMP = "CamelKafkaOverrideTimestamp";
    }

    @Test
    @Tag("case-F9")
    @DisplayName(
            "F9: another spelling is read from the class, and a name that it lacks is left out")
    void otherSpelling() {
        CamelKafkaHeaders other = CamelKafkaHeaders.of(OtherConstants.class);
        assertThat(other)
                .isEqualTo(
                        new CamelKafkaHeaders(
                                "CamelKafkaKey",
                                "CamelKafkaPartitionKey",
                                "CamelKafkaOverrideTimestamp",
                                null,
                                null));
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody("v");
        exchange.getMessage().setHeader("CamelKafkaKey", "k");

        assertThat(OutgoingRecords.of(other, HeaderNames.HERMES).from(exchange).key())
                .isEqualTo(bytes("k"));
        assertThat(
                        OutgoingRecords.of(CamelKafkaHeaders.ABSENT, HeaderNames.HERMES)
                                .from(exchange)
                                .key())
                .isNull();
    }

    @Test
    @DisplayName("an exchange of a kafka: consumer keeps key, timestamp and all record headers")
    void fromCamelKafka() {
        Headers headers =
                new RecordHeaders()
                        .add("a", bytes("1"))
                        .add("a", bytes("2"))
                        .add("CamelFoo", bytes("x"))
                        .add("gone", bytes("3"));
        Exchange exchange = new DefaultExchange(context);
        Message message = exchange.getMessage();
        message.setBody("v");
        message.setHeader(RunningCamelKafka.header("KEY"), bytes("k"));
        message.setHeader(RunningCamelKafka.header("TIMESTAMP"), 99L);
        message.setHeader(RunningCamelKafka.header("PARTITION"), 4);
        message.setHeader(RunningCamelKafka.header("HEADERS"), headers);
        message.setHeader("a", headers.lastHeader("a").value());
        message.setHeader("new", "4");

        OutgoingRecord outgoing = OutgoingRecords.of(context, HeaderNames.HERMES).from(exchange);

        assertThat(outgoing.key()).isEqualTo(bytes("k"));
        assertThat(outgoing.timestamp()).isEqualTo(99L);
        assertThat(outgoing.partition()).isNull();
        assertThat(shown(outgoing.headers())).containsExactly("a=1", "a=2", "CamelFoo=x", "new=4");
    }

    @Test
    @DisplayName("our consumers set the key and timestamp headers of the camel-kafka that runs")
    void towardCamelKafka() {
        Message message = exchange(record(1, "k", "v")).getMessage();

        assertThat(message.getHeader(RunningCamelKafka.header("KEY"))).isEqualTo(bytes("k"));
        assertThat(message.getHeader(RunningCamelKafka.header("OVERRIDE_TIMESTAMP")))
                .isEqualTo(1_000_000_000_000L);
    }

    @Test
    @DisplayName("partition and timestamp headers count only if the route set them")
    void partitionAndTimestamp() {
        ConsumerRecord<byte[], byte[]> raw = record(1, "k", "v");

        assertThat(untouched(raw).partition()).isNull();
        assertThat(
                        changed(raw, message -> message.setHeader("CamelReplicationPartition", "7"))
                                .partition())
                .isEqualTo(7);
        assertThat(
                        changed(raw, message -> message.setHeader("CamelReplicationTimestamp", 5L))
                                .timestamp())
                .isEqualTo(5L);
        assertThatThrownBy(
                        () -> changed(raw, m -> m.setHeader("CamelReplicationPartition", "secret")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the header CamelReplicationPartition is no number; set a number in the route");
        assertThatThrownBy(() -> changed(raw, m -> m.setHeader("CamelReplicationPartition", -1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("the headers that a send left behind are not taken for wishes of the next send")
    void afterSend() {
        Exchange exchange = new DefaultExchange(context);
        exchange.getMessage().setBody("v");
        SentHeaders.set(exchange, HeaderNames.HERMES, SendResult.at("snc.acme.a", 3, 42, 1234));

        OutgoingRecord outgoing = OutgoingRecords.of(context, HeaderNames.HERMES).from(exchange);

        assertThat(exchange.getMessage().getHeader("CamelHermesPartition")).isEqualTo(3);
        assertThat(outgoing.partition()).isNull();
        assertThat(outgoing.timestamp()).isNull();
    }

    @Test
    @DisplayName(
            "bodies: text, buffer and stream become bytes; what is no one message is refused in one line")
    void bodies() {
        ConsumerRecord<byte[], byte[]> raw = record(1, "k", "v");

        assertThat(changed(raw, message -> message.setBody("ü")).value()).isEqualTo(bytes("ü"));
        assertThat(
                        changed(
                                        raw,
                                        message ->
                                                message.setBody(
                                                        ByteBuffer.wrap(bytes("abc"), 1, 2)))
                                .value())
                .isEqualTo(bytes("bc"));
        assertThat(
                        changed(
                                        raw,
                                        message ->
                                                message.setBody(
                                                        new ByteArrayInputStream(bytes("s"))))
                                .value())
                .isEqualTo(bytes("s"));
        assertThat(changed(raw, message -> message.setBody(null)).value()).isNull();
        for (Object body :
                List.of(
                        List.of("secret"),
                        Map.of("secret", 1),
                        new Object(),
                        Optional.of("secret"))) {
            assertThatThrownBy(() -> changed(raw, message -> message.setBody(body)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be sent as bytes")
                    .hasMessageNotContainingAny("secret", "\n");
        }
    }

    private OutgoingRecord untouched(ConsumerRecord<byte[], byte[]> raw) {
        return changed(raw, message -> {});
    }

    private OutgoingRecord changed(ConsumerRecord<byte[], byte[]> raw, Consumer<Message> route) {
        Exchange exchange = exchange(raw);
        route.accept(exchange.getMessage());
        return rules.from(exchange);
    }

    private Exchange exchange(ConsumerRecord<byte[], byte[]> raw) {
        Exchange exchange = new DefaultExchange(context);
        fill(exchange, raw);
        return exchange;
    }

    private void fill(Exchange exchange, ConsumerRecord<byte[], byte[]> raw) {
        ConnectionSettings source =
                new ConnectionSettings("plant", ClientRole.CUSTOMER, "localhost:1", "g", Map.of());
        LinkDefinition link =
                new LinkDefinition(
                        "x",
                        List.of(source),
                        "source",
                        StartFrom.EARLIEST,
                        null,
                        null,
                        LinkOptions.defaults(false));
        SourceMessage.fillRecord(
                exchange,
                new RecordingEngine.RecordingDelivery(link, List.of(raw)),
                HeaderNames.REPLICATION,
                kafka);
    }

    private static ConsumerRecord<byte[], byte[]> raw(
            byte[] key, byte[] value, Iterable<Header> headers) {
        List<Header> all = new ArrayList<>();
        headers.forEach(all::add);
        return new ConsumerRecord<>(
                "source",
                2,
                5,
                77,
                TimestampType.CREATE_TIME,
                1,
                1,
                key,
                value,
                new RecordHeaders(all),
                Optional.empty());
    }
}
