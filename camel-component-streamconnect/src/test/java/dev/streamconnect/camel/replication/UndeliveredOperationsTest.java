package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.engine.SweepCounts;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.StoredHeader;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.UndeliveredMessage;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.camel.Exchange;
import org.apache.camel.builder.RouteBuilder;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Operations on undelivered messages")
class UndeliveredOperationsTest extends UndeliveredTestSupport {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:export")
                        .to("replication:*?operation=export&payload=true")
                        .process(e -> e.setProperty("seen", e.getMessage().getBody()))
                        .to("mock:exported");
            }
        };
    }

    private void put(String link, Reason reason, int count) {
        store.store(rows.of(link, reason, count));
    }

    private <T> T ask(String options, Class<T> type) {
        return template.requestBody("replication:" + options, null, type);
    }

    @SuppressWarnings("unchecked")
    private List<StoredMessage> list(String options) {
        return ask(options, List.class);
    }

    private JsonNode json(String options) throws Exception {
        return JSON.readTree(ask(options + "&json=true", String.class));
    }

    private Throwable refusal(String options) {
        return refusal(options, Map.of());
    }

    private Throwable refusal(String options, Map<String, Object> headers) {
        Throwable failure =
                catchThrowable(
                        () ->
                                template.requestBodyAndHeaders(
                                        "replication:" + options, null, headers));
        while (failure.getCause() != null && !(failure instanceof StoreUnavailableException)) {
            boolean ours =
                    failure instanceof IllegalArgumentException
                            || failure instanceof IllegalStateException;
            if (ours) {
                break;
            }
            failure = failure.getCause();
        }
        assertThat(failure.getMessage()).hasSizeLessThan(400).doesNotContain("\n");
        return failure;
    }

    private long due() {
        return all().stream()
                .filter(row -> row.state() == StoredState.WAITING)
                .filter(row -> !row.message().nextAttempt().isAfter(engine.clock.instant()))
                .count();
    }

    @Test
    @Tag("case-U10")
    @DisplayName("retry with a reason makes all rows of that reason due, and no other")
    void retryByReason() throws Exception {
        put("orders-to-sn", Reason.AUTHORIZATION, 5);
        put("orders-to-sn", Reason.SIZE, 3);
        assertThat(ask("*?operation=retry&reason=AUTHORIZATION", SweepCounts.class))
                .isEqualTo(new SweepCounts(3, 2, 1, 5));
        assertThat(engine.anew).as("a run that begins after the choice").isEqualTo(1);
        assertThat(due()).isEqualTo(5);
        assertThat(json("*?operation=retry&reason=authorization"))
                .isEqualTo(
                        JSON.readTree("{\"madeDue\":0,\"delivered\":3,\"failed\":2,\"parked\":1}"));
        assertThat(due()).isEqualTo(5);
    }

    @Test
    @DisplayName("retry without a selector takes what is due, parked rows wait again with one")
    void retry() {
        put("orders-to-sn", Reason.SIZE, 3);
        assertThat(ask("*?operation=retry", SweepCounts.class)).isEqualTo(new SweepCounts(3, 2, 1));
        assertThat(ask("orders-to-sn?operation=retry", SweepCounts.class).madeDue()).isZero();
        assertThat(due()).isZero();
        assertThat(engine.anew).isZero();
        assertThat(ask("orders-to-sn?operation=park", Integer.class)).isEqualTo(3);
        long first = all().get(0).id();
        assertThat(ask("*?operation=retry&rows=" + first, SweepCounts.class).madeDue())
                .isEqualTo(1);
        assertThat(ask("*?operation=retry&state=PARKED", SweepCounts.class).madeDue()).isEqualTo(2);
        assertThat(due()).isEqualTo(3);
    }

    @Test
    @DisplayName("park and discard answer how many they changed; doing it again changes none")
    void parkAndDiscard() throws Exception {
        put("orders-to-sn", Reason.SIZE, 3);
        put("events-to-sn", Reason.SIZE, 2);
        put("snc.acme.alarms", Reason.UNREACHABLE, 1);
        assertThat(ask("orders*?operation=park&reason=SIZE", Integer.class)).isEqualTo(3);
        assertThat(ask("orders*?operation=park&reason=SIZE", Integer.class)).isZero();
        assertThat(json("snc.acme.alarms?operation=park"))
                .isEqualTo(JSON.readTree("{\"parked\":1}"));
        assertThat(all()).filteredOn(row -> row.state() == StoredState.PARKED).hasSize(4);
        assertThat(ask("orders-to-sn?operation=discard&state=WAITING", Integer.class)).isZero();
        assertThat(json("*?operation=discard&state=PARKED"))
                .isEqualTo(JSON.readTree("{\"discarded\":4}"));
        assertThat(json("*?operation=discard&state=PARKED"))
                .isEqualTo(JSON.readTree("{\"discarded\":0}"));
        assertThat(all())
                .hasSize(2)
                .allMatch(row -> row.message().origin().link().equals("events-to-sn"));
        assertThat(ask("orders-to-sn?operation=discard", Integer.class)).isZero();
        assertThat(ask("events-to-sn?operation=discard", Integer.class)).isEqualTo(2);
        assertThat(all()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"*", "orders*", ".*", "o.*"})
    @DisplayName("a pattern alone discards and parks nothing")
    void needsSelector(String pattern) {
        put("orders-to-sn", Reason.SIZE, 2);
        assertThat(refusal(pattern + "?operation=discard"))
                .hasMessage(
                        "operation=discard of '"
                                + pattern
                                + "' needs a selector: reason, state, from, to or rows");
        assertThat(refusal(pattern + "?operation=park&limit=5"))
                .hasMessageStartingWith("operation=park of");
        Map<String, Object> empty = Map.of(ReplicationConstants.ROWS, "");
        assertThat(refusal(pattern + "?operation=discard", empty))
                .hasMessage("rows: is empty; give a value or leave it out");
        assertThat(refusal(pattern + "?operation=discard&state=WAITING", empty))
                .hasMessage("rows: is empty; give a value or leave it out");
        assertThat(all()).hasSize(2).allMatch(row -> row.state() == StoredState.WAITING);
    }

    @Test
    @DisplayName("list answers matching rows without payload, up to the limit")
    void lists() throws Exception {
        put("orders-to-sn", Reason.SIZE, 3);
        put("orders-to-sn", Reason.ROUTE, 1);
        put("events-to-sn", Reason.SIZE, 120);
        assertThat(list("*?operation=list")).hasSize(100);
        assertThat(list("*?operation=list&limit=1000"))
                .hasSize(124)
                .allMatch(row -> row.message().value() == null && row.message().key() == null)
                .allMatch(row -> row.hasKey() && row.bytes() > 0);
        assertThat(list("orders-to-sn?operation=list&reason=size")).hasSize(3);
        assertThat(list("orders*?operation=list&limit=2")).hasSize(2);
        assertThat(list("other*?operation=list")).isEmpty();
        assertThat(list("not-running?operation=list")).isEmpty();
        assertThat(list("*?operation=list&to=" + engine.clock.instant())).isEmpty();
        assertThat(
                        list(
                                "orders-to-sn?operation=list&from="
                                        + engine.clock.instant()
                                        + "&to="
                                        + engine.clock.instant().plusSeconds(1)))
                .hasSize(4);
        long id = list("orders-to-sn?operation=list&reason=ROUTE").get(0).id();
        JsonNode row = json("*?operation=list&rows=" + id).get(0);
        assertThat(row.get("row").asLong()).isEqualTo(id);
        assertThat(row.get("id").asText()).isEqualTo("orders-to-sn");
        assertThat(row.get("reason").asText()).isEqualTo("ROUTE");
        assertThat(row.get("nextAttempt").asText()).isEqualTo("2026-01-01T01:00:00Z");
        assertThat(row.has("value")).isFalse();
    }

    @Test
    @DisplayName("a header takes the place of its option")
    void headers() {
        put("orders-to-sn", Reason.SIZE, 3);
        put("orders-to-sn", Reason.ROUTE, 2);
        store.park(new RowSelector(null, Reason.ROUTE, null, null, null, null, null));
        assertThat(byHeader(ReplicationConstants.REASON, Reason.ROUTE)).isEqualTo(2);
        assertThat(byHeader(ReplicationConstants.STATE, "parked")).isZero();
        assertThat(byHeader(ReplicationConstants.FROM, engine.clock.instant().plusSeconds(1)))
                .isZero();
        assertThat(byHeader(ReplicationConstants.TO, engine.clock.instant().plusSeconds(1)))
                .isEqualTo(3);
        assertThat(byHeader(ReplicationConstants.LIMIT, 1)).isEqualTo(1);
        List<Long> ids = all().stream().map(StoredMessage::id).toList();
        assertThat(byHeader(ReplicationConstants.ROWS, ids.subList(0, 2))).isEqualTo(2);
        assertThat(byHeader(ReplicationConstants.ROWS, ids.get(1))).isEqualTo(1);
        assertThat(byHeader(ReplicationConstants.ROWS, ids.get(0) + ", " + ids.get(1)))
                .isEqualTo(2);
    }

    private int byHeader(String name, Object value) {
        return template.requestBodyAndHeader(
                        "replication:*?operation=list&reason=SIZE", null, name, value, List.class)
                .size();
    }

    private UndeliveredMessage odd() {
        return rows.message(
                "orders-to-sn",
                Reason.FORMAT,
                new byte[] {0, (byte) 0xff, (byte) 0xc3},
                "käse\n\"\u0000\u20ac".getBytes(StandardCharsets.UTF_8),
                new StoredHeader("twice", new byte[] {(byte) 0x80}),
                new StoredHeader("twice", null),
                new StoredHeader("", new byte[0]));
    }

    @Test
    @DisplayName("show answers one row, its bytes on request and exactly")
    void shows() throws Exception {
        UndeliveredMessage odd = odd();
        store.store(List.of(odd, rows.message("events-to-sn", Reason.NO_KEY, null, null)));
        long id = all().get(0).id();
        StoredMessage without = ask("*?operation=show&rows=" + id, StoredMessage.class);
        assertThat(without.message().key()).isNull();
        assertThat(without.message().headers()).isEmpty();
        StoredMessage with =
                ask("orders-to-sn?operation=show&payload=true&rows=" + id, StoredMessage.class);
        assertThat(with.message().key()).isEqualTo(odd.key());
        assertThat(with.message().value()).isEqualTo(odd.value());
        assertThat(json("*?operation=show&rows=" + id).has("key")).isFalse();
        JsonNode json = json("*?operation=show&payload=true&rows=" + id);
        assertOdd(json, odd);
        JsonNode none = json("*?operation=show&payload=true&rows=" + all().get(1).id());
        assertThat(none.get("key").isNull()).isTrue();
        assertThat(none.get("value").isNull()).isTrue();
        assertThat(none.get("headers")).isEmpty();

        assertThat(refusal("*?operation=show")).hasMessageContaining("the id of one row");
        assertThat(refusal("*?operation=show&rows=1,2")).hasMessageContaining("the id of one row");
        assertThat(refusal("events-to-sn?operation=show&payload=true&rows=" + id))
                .as("a row of another topic replication")
                .hasMessageStartingWith("rows: no row " + id + " of 'events-to-sn' is stored");
    }

    private static void assertOdd(JsonNode json, UndeliveredMessage odd) throws Exception {
        assertThat(json.get("key").get("base64").binaryValue()).isEqualTo(odd.key());
        assertThat(json.get("key").has("text")).as("not UTF-8").isFalse();
        assertThat(json.get("value").get("base64").binaryValue()).isEqualTo(odd.value());
        assertThat(json.get("value").get("text").asText())
                .isEqualTo(new String(odd.value(), StandardCharsets.UTF_8));
        JsonNode headers = json.get("headers");
        assertThat(headers).hasSize(3);
        assertThat(headers.findValuesAsText("name")).containsExactly("twice", "twice", "");
        assertThat(headers.get(0).get("value").get("base64").binaryValue())
                .isEqualTo(odd.headers().get(0).value());
        assertThat(headers.get(1).get("value").isNull()).isTrue();
        assertThat(headers.get(2).get("value").get("text").asText()).isEmpty();
    }

    @Test
    @DisplayName("export streams all matching rows, exactly, and is not cached in memory")
    void exports() throws Exception {
        UndeliveredMessage odd = odd();
        store.store(List.of(odd));
        put("events-to-sn", Reason.SIZE, 1_203);
        Exchange exchange = template.request("direct:export", e -> {});
        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getProperty("seen")).isInstanceOf(ExportStream.class);
        assertThat(exchange.getMessage().getBody()).isInstanceOf(ExportStream.class);
        List<JsonNode> lines = lines(exchange.getMessage().getBody(InputStream.class));
        assertThat(lines).hasSize(1_204);
        assertOdd(lines.get(0), odd);
        Set<String> values = new HashSet<>();
        for (JsonNode line : lines.subList(1, 1_204)) {
            values.add(
                    new String(
                            Base64.getDecoder().decode(line.get("value").get("base64").asText()),
                            StandardCharsets.UTF_8));
        }
        assertThat(values).hasSize(1_203).contains(UndeliveredRows.SECRET + 1);

        exchange.getMessage().getBody(ExportStream.class).reset();
        assertThat(lines(exchange.getMessage().getBody(InputStream.class))).hasSize(1_204);
        assertThat(lines(ask("orders-to-sn?operation=export&reason=FORMAT", InputStream.class)))
                .hasSize(1)
                .noneMatch(line -> line.has("value"));
        assertThat(ask("other*?operation=export", String.class)).isEmpty();
    }

    private static List<JsonNode> lines(InputStream stream) throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            lines.add(JSON.readTree(line));
        }
        return lines;
    }

    @ParameterizedTest
    @CsvSource({"list", "export", "retry", "park", "discard", "show"})
    @DisplayName("an unknown id is refused with the near ones")
    void unknownId(String operation) {
        put("snc.acme.alarms", Reason.SIZE, 1);
        String options = "?operation=" + operation + (operation.equals("show") ? "&rows=1" : "");
        assertThat(refusal("orders-to-sm" + options))
                .hasMessage(
                        "there is no 'orders-to-sm': no topic replication has that id, and no undelivered message;"
                                + " did you mean orders-to-sn?");
        assertThat(refusal("snc.acme.alarm" + options))
                .hasMessageEndingWith("did you mean snc.acme.alarms?");
        assertThat(refusal("orders" + options))
                .as("a topic")
                .hasMessageEndingWith("did you mean orders-to-sn?");
        assertThat(refusal("nothing-like-it" + options))
                .hasMessageContaining("no undelivered message; known: ")
                .hasMessageContaining("orders-to-sn");
        assertThat(refusal("[" + options))
                .as("nothing is there to match it")
                .hasMessage(
                        "id: '[' is not a pattern: Unclosed character class; use an id, * for all, or a regular expression");
        assertThat(refusal("off" + options))
                .hasMessageStartingWith("topic replication 'off' is not active");
        assertThat(all()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reason=TOPIC_MISING | reason: there is no 'TOPIC_MISING'; did you mean TOPIC_MISSING?",
                "reason=XYZ | reason: there is no 'XYZ'; use one of SIZE, TIMESTAMP, RETENTION, NO_KEY, PARTITION, FORMAT, SERIALIZATION, REFUSED, AUTHORIZATION, TOPIC_MISSING, UNREACHABLE, ROUTE, BEHIND_KEY",
                "state=PARKD | state: there is no 'PARKD'; did you mean PARKED?",
                "rows=1,x | rows: 'x' is not a number; give ids of rows, with commas",
                "rows=1,,2 | rows: '' is not a number; give ids of rows, with commas",
                "rows=0 | rows: 0 is out of bounds; give ids of rows, with commas",
                "limit=0 | limit: 0 is out of bounds; use 1 to 10000",
                "limit=10001 | limit: 10001 is out of bounds; use 1 to 10000",
                "from=yesterday | from: 'yesterday' is not a time; write it as 2026-01-31T08:00:00Z",
                "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z | from: 2026-02-01T00:00:00Z is after to, 2026-01-01T00:00:00Z",
                "from=2026-02-01T00:00:00+01:00&to=2026-01-01T00:00:00Z | from: 2026-01-31T23:00:00Z is after to, 2026-01-01T00:00:00Z",
                "from=2026-02-01T00:00:00%2B01:00&to=2026-01-01T00:00:00Z | from: 2026-01-31T23:00:00Z is after to, 2026-01-01T00:00:00Z"
            })
    @DisplayName("a wrong selector is refused in one line, from an option")
    void wrongOption(String options, String line) {
        assertThat(refusal("*?operation=list&" + options)).hasMessage(line);
    }

    @Test
    @DisplayName("a wrong selector is refused in one line, from a header")
    void wrongHeader() {
        assertThat(refusal("*?operation=list", Map.of(ReplicationConstants.REASON, "x\ny")))
                .hasMessageStartingWith("reason: there is no 'x y'; use one of");
        assertThat(refusal("*?operation=list", Map.of(ReplicationConstants.LIMIT, "many")))
                .hasMessage("limit: 'many' is not a number; use 1 to 10000");
        assertThat(
                        refusal(
                                "*?operation=list&to=2026-01-01T00:00:00Z",
                                Map.of(ReplicationConstants.FROM, "2026-01-02T00:00:00+01:00")))
                .hasMessage("from: 2026-01-01T23:00:00Z is after to, 2026-01-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({"?operation=pause&reason=SIZE", "?operation=status&rows=1", "?state=PARKED"})
    @DisplayName("selectors where they choose nothing are refused")
    void idleSelector(String options) {
        assertThatThrownBy(
                        () ->
                                context.getEndpoint("replication:orders-to-sn" + options)
                                        .createProducer())
                .hasMessageStartingWith(
                        "reason, state, from, to and rows choose undelivered messages;");
    }

    @ParameterizedTest
    @CsvSource({"list", "export", "retry&reason=SIZE", "park&reason=SIZE", "discard&rows=1"})
    @DisplayName("a store that is away or not there is one line")
    void away(String operation) {
        database.close();
        assertThat(refusal("*?operation=" + operation))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageStartingWith("the undelivered store in ");
        engine.store = null;
        assertThat(refusal("*?operation=" + operation))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "no undelivered store is configured; set undeliveredUrl of the component replication");
    }

    @Test
    @DisplayName("no answer shows payload in its text, and no line of the log does")
    void secrets() throws Exception {
        put("orders-to-sn", Reason.SIZE, 3);
        long id = all().get(0).id();
        try (CapturedLogs logs = new CapturedLogs("", Level.DEBUG)) {
            assertThat(list("*?operation=list").toString())
                    .contains("SIZE")
                    .doesNotContain(UndeliveredRows.SECRET);
            assertThat(ask("*?operation=show&payload=true&rows=" + id, Object.class).toString())
                    .doesNotContain(UndeliveredRows.SECRET);
            InputStream export = ask("*?operation=export&payload=true", InputStream.class);
            assertThat(export.toString()).doesNotContain(UndeliveredRows.SECRET);
            assertThat(lines(export)).hasSize(3);
            ask("*?operation=park&rows=" + id, Integer.class);
            ask("*?operation=discard&rows=" + id, Integer.class);
            assertThat(logs.lines())
                    .contains(
                            "undelivered messages of '*' parked: 1 (rows=[" + id + "])",
                            "undelivered messages of '*' discarded: 1 (rows=[" + id + "])")
                    .noneMatch(line -> line.contains(UndeliveredRows.SECRET));
        }
    }
}
