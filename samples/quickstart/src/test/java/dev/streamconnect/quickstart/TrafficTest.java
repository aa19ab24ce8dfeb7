package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.quickstart.Ledger.Arrival;
import dev.streamconnect.quickstart.Ledger.Missing;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The traffic")
class TrafficTest {

    private final Clock clock = Clock.fixed(Instant.parse("2026-03-01T06:00:00Z"), ZoneOffset.UTC);

    @Test
    @DisplayName("knows the topic replications of the records file")
    void matchesRecords() {
        HermesInstance acme = HermesInstance.of("acme");
        ReplicationRecords records =
                new RecordsReader(
                                text -> text.replace("{{local.bootstrap}}", "localhost:9092"),
                                Optional.of(acme))
                        .read(Path.of("replications.yaml"));

        assertThat(records.topicReplications())
                .extracting(
                        replication ->
                                replication.id()
                                        + " "
                                        + replication.topicName()
                                        + " "
                                        + replication.hermesTopic(acme).fullName())
                .containsExactlyElementsOf(
                        Flow.ALL.stream()
                                .map(
                                        flow ->
                                                flow.replication()
                                                        + " "
                                                        + flow.name()
                                                        + " "
                                                        + flow.hermesTopic())
                                .toList());
    }

    @Test
    @DisplayName("holds null, empty and binary parts, repeated headers, and both severities")
    void kinds() {
        MessageMaker maker = new MessageMaker(clock);
        Flow alarms = Flow.ALL.get(2);
        Set<String> kinds =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> maker.make(alarms, new MessageId(2, i)))
                        .flatMap(message -> kinds(alarms, message).stream())
                        .collect(Collectors.toSet());

        assertThat(kinds)
                .contains(
                        "wanted",
                        "filtered",
                        "null key",
                        "tombstone",
                        "empty value",
                        "two of a name",
                        "null header",
                        "control name",
                        "old");
    }

    private Set<String> kinds(Flow flow, ProducerRecord<byte[], byte[]> message) {
        Set<String> kinds = new java.util.HashSet<>();
        kinds.add(MessageMaker.wanted(flow, message) ? "wanted" : "filtered");
        if (message.key() == null) {
            kinds.add("null key");
        }
        if (message.value() == null) {
            kinds.add("tombstone");
        } else if (message.value().length == 0) {
            kinds.add("empty value");
        }
        Map<String, Long> names =
                java.util.Arrays.stream(message.headers().toArray())
                        .collect(Collectors.groupingBy(h -> h.key(), Collectors.counting()));
        if (names.containsValue(2L)) {
            kinds.add("two of a name");
        }
        if (names.containsKey("nothing")) {
            kinds.add("null header");
        }
        if (names.containsKey("CamelHermesTopic")) {
            kinds.add("control name");
        }
        if (message.timestamp() < clock.millis()) {
            kinds.add("old");
        }
        return kinds;
    }

    @Test
    @DisplayName("has messages that Hermes refuses, by size and by their missing key")
    void refused() {
        MessageMaker maker = new MessageMaker(clock);
        Flow limited = Flow.ALL.get(Flow.of(Flow.Kind.LIMITED));
        Flow compacted = Flow.ALL.get(Flow.of(Flow.Kind.COMPACTED));

        assertThat(maker.makeRefused(limited, new MessageId(1, 0)).value()).hasSize(1_500_000);
        assertThat(maker.makeRefused(compacted, new MessageId(3, 0)).key()).isNull();
        assertThat(IntStream.range(0, 1_000))
                .as("all others have one")
                .allMatch(i -> maker.make(compacted, new MessageId(3, i)).key() != null);
    }

    @Test
    @DisplayName("finds its ids again, and takes no other message for its own")
    void ids() {
        ProducerRecord<byte[], byte[]> message =
                new MessageMaker(clock).make(Flow.ALL.get(1), new MessageId(1, 77));
        Books books = new Books();

        assertThat(MessageId.of(message.headers())).isEqualTo(new MessageId(1, 77));
        assertThat(books.arrived(0, MessageId.of(message.headers()), 0)).isEqualTo(Arrival.UNKNOWN);
        message.headers().remove(MessageId.HEADER);
        assertThat(MessageId.of(message.headers())).isNull();
        assertThat(books.arrived(1, null, 0)).isEqualTo(Arrival.UNKNOWN);
        assertThat(books.result(flow -> true, Map.of(), Map.of()).wrong()).isEqualTo(2);
    }

    @Test
    @DisplayName("is good only if all arrived once and unchanged")
    void result() {
        assertThat(new Result(5, 5, new Missing(0, 0), 3, 0).good()).isTrue();
        assertThat(new Result(5, 4, new Missing(1, 0), 0, 0).good()).isFalse();
        assertThat(new Result(5, 4, new Missing(0, 1), 0, 0).good()).isFalse();
        assertThat(new Result(5, 5, new Missing(0, 0), 0, 1).good()).isFalse();
        Result both =
                new Result(9, 6, new Missing(2, 1), 4, 0)
                        .plus(new Result(5, 3, new Missing(1, 1), 2, 3));
        assertThat(both.counts())
                .isEqualTo("sent=14 delivered=9 undelivered=2 lost=3 duplicates=6");
        assertThat(both.wrong()).isEqualTo(3);
    }

    @Test
    @DisplayName("has options that say what is wrong with them")
    void options() {
        Map<String, String> given =
                Map.of(
                        "quickstart.seconds", "soon",
                        "quickstart.home", "target/quickstart",
                        "sandbox.home", "x");
        assertThatThrownBy(() -> Options.of(given::get))
                .isInstanceOf(QuickstartException.class)
                .hasMessage("-Dquickstart.seconds=soon is no number from 0 to 86400");
        assertThatThrownBy(() -> Options.of(name -> null))
                .hasMessage("-Dquickstart.home is missing; start with mvn -Pquickstart");
    }
}
