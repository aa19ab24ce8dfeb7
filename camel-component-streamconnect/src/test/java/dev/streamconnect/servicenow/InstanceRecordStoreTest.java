package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.KafkaConnection;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.Secret;
import dev.streamconnect.record.StartFrom;
import dev.streamconnect.record.TopicReplication;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordStoreContract;
import dev.streamconnect.spi.RecordsVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Records of an instance")
class InstanceRecordStoreTest extends RecordStoreContract {

    private static final String TOPICS = "sys_kafka_topic_replication";
    private static final String REPLICATIONS = "sys_sc_message_replication";
    private static final String CONNECTIONS = "kafka_connection";
    private static final Credentials BASIC =
            new Credentials(TableApiServer.USER, Secret.of(TableApiServer.PASSWORD), null, null);

    private final TableApiServer server = start();
    private final CapturedLogs logs = new CapturedLogs("dev.streamconnect", Level.DEBUG);
    private Duration limit = Duration.ofSeconds(20);
    private Duration interval = Duration.ZERO;

    @TempDir private Path folder;

    private static TableApiServer start() {
        try {
            return new TableApiServer();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        server.close();
        logs.close();
    }

    @Override
    protected RecordStore open() {
        return store(BASIC);
    }

    private InstanceRecordStore store(Credentials credentials) {
        return store(credentials, Clock.systemUTC(), 3);
    }

    private InstanceRecordStore store(Credentials credentials, Clock clock, int page) {
        Path overlay = folder.resolve("overlay.yaml");
        InstanceOptions options =
                new InstanceOptions(
                        server.url(),
                        credentials,
                        Files.exists(overlay) ? overlay : null,
                        cache(),
                        interval,
                        limit,
                        null);
        return new InstanceRecordStore(
                options,
                text -> text.replace("{{secret}}", "s3cret-word"),
                Optional.of(HermesInstance.of("acme")),
                new TableApi(server.url(), credentials, null, limit, clock, page),
                clock);
    }

    private Path cache() {
        return folder.resolve("cache.json");
    }

    @Override
    protected void put(List<String> ids) {
        server.fault = exchange -> false;
        server.plant();
        server.table(TOPICS).keySet().retainAll(ids);
        ids.forEach(server::topic);
    }

    @Override
    protected void spoil() {
        server.table(TOPICS).values().forEach(row -> row.put("direction", "sideways"));
    }

    @Override
    protected void remove() {
        server.fault =
                exchange -> {
                    TableApiServer.error(exchange, 503, "Service Unavailable");
                    return true;
                };
    }

    private ReplicationRecords records() {
        return store(BASIC).newer(null).orElseThrow().records();
    }

    private List<RecordFault> faults() {
        return faults(store(BASIC), null);
    }

    private static List<RecordFault> faults(RecordStore store, String known) {
        RecordsException e = catchThrowableOfType(RecordsException.class, () -> store.newer(known));
        assertThat(e).as("faults").isNotNull();
        return e.faults();
    }

    private String host() {
        return server.url().host();
    }

    private void overlay(String yaml) throws IOException {
        Files.writeString(folder.resolve("overlay.yaml"), yaml);
    }

    // What rows become

    @Test
    @DisplayName("rows become records; the sys_id is the id, so that names may change")
    void mapping() {
        put(List.of("t1"));
        server.put(
                TOPICS,
                "t2",
                "direction",
                "2",
                "topic_name",
                "decisions",
                "servicenow_topic",
                "decisions",
                "replication",
                "m0",
                "active",
                "false");
        server.body =
                bytes ->
                        new String(bytes, StandardCharsets.UTF_8)
                                .replace(
                                        "\"display_value\":\"2\"",
                                        "\"display_value\":\"From ServiceNow\"")
                                .getBytes(StandardCharsets.UTF_8);
        server.table(CONNECTIONS)
                .get("c0")
                .put("additional_client_properties", "client.rack=hall-3; fetch.max.wait.ms = 200");

        ReplicationRecords records = records();
        KafkaConnection connection = records.connections().get(0);
        assertThat(connection.id()).isEqualTo("c0");
        assertThat(connection.groupId(HermesInstance.of("acme"))).isEqualTo("acme-consumer-c0");
        assertThat(connection.properties())
                .containsEntry("client.rack", "hall-3")
                .containsEntry("fetch.max.wait.ms", "200");
        assertThat(records.messageReplications().get(0).application()).contains("Assembly");
        TopicReplication second = records.topicReplication("t2").orElseThrow();
        assertThat(second.displayName()).isEqualTo("decisions [SN] -> decisions [plant]");
        assertThat(second.active()).isFalse();
        assertThat(second.startFrom()).isEqualTo(StartFrom.EARLIEST);
    }

    @Test
    @DisplayName("the overlay adds what the tables have no column for; its faults have its lines")
    void overlay() throws Exception {
        put(List.of("t1", "t2"));
        overlay(
                """
                columns:
                  topicReplications: { topicName: u_topic }
                directions:
                  fromServiceNow: [ outbound ]
                connections:
                  c0:
                    bootstrapServers: kafka:9093
                    sasl: { mechanism: PLAIN, username: u, password: "{{secret}}" }
                    properties: { request.timeout.ms: 20000 }
                defaults:
                  startFrom: latest
                topicReplications:
                  t1: { id: orders-to-sn, route: none, startFrom: earliest }
                """);
        server.table(TOPICS)
                .values()
                .forEach(row -> row.put("u_topic", "u-" + row.get("topic_name")));
        server.table(TOPICS).get("t2").put("direction", "Outbound");

        RecordsVersion version = store(BASIC).newer(null).orElseThrow();
        KafkaConnection connection = version.records().connections().get(0);
        assertThat(connection.bootstrapServers()).isEqualTo("kafka:9093");
        assertThat(connection.sasl().orElseThrow().jaasConfig().reveal())
                .contains("password=\"s3cret-word\"");
        assertThat(connection.properties()).containsEntry("request.timeout.ms", "20000");
        TopicReplication first = version.records().topicReplication("orders-to-sn").orElseThrow();
        assertThat(first.buildsRoute()).isFalse();
        assertThat(first.startFrom()).isEqualTo(StartFrom.EARLIEST);
        assertThat(first.topicName()).isEqualTo("u-t1");
        assertThat(version.records().topicReplication("t2").orElseThrow().startFrom())
                .isEqualTo(StartFrom.LATEST);
        assertThat(Files.readString(cache())).doesNotContain("s3cret-word").doesNotContain("PLAIN");

        server.table(TOPICS).get("t2").put("direction", "To ServiceNow");
        overlay("topicReplications:\n  t1:\n    topicName: x\n  t2: { startFrom: soon }\n");
        assertThat(faults())
                .extracting(fault -> fault.toString().replace(folder + "/", ""))
                .anySatisfy(f -> assertThat(f).startsWith("overlay.yaml:3:5: unknown-field: "))
                .anySatisfy(f -> assertThat(f).startsWith("overlay.yaml:4:20: bad-start-from: "));
        overlay("columns:\n  connections: { active: none }\n");
        assertThat(faults())
                .hasSize(1)
                .first()
                .asString()
                .contains("overlay.yaml:2:18: wrong-value");
        overlay("topicReplications:\n  t9: { route: none }\n");
        records();
        assertThat(logs.lines()).anySatisfy(line -> assertThat(line).contains("no record t9"));
    }

    @ParameterizedTest(name = "{0} {1}.{2}={3}: {4}")
    @CsvSource({
        "sys_kafka_topic_replication, t1, direction, sideways, direction, wrong-value",
        "sys_kafka_topic_replication, t1, direction, '', direction, wrong-value",
        "sys_kafka_topic_replication, t1, replication, m9, replication, unknown-message-replication",
        "sys_kafka_topic_replication, t1, replication, '', replication, unknown-message-replication",
        "sys_kafka_topic_replication, t1, active, maybe, active, wrong-type",
        "sys_kafka_topic_replication, t1, topic_name, '', topic_name, bad-topic-name",
        "sys_kafka_topic_replication, t1, topic_name, a b, topic_name, bad-topic-name",
        "sys_kafka_topic_replication, t1, servicenow_topic, snc.other.x, servicenow_topic, instance-mismatch",
        "sys_kafka_topic_replication, t1, topic_name, t2, t2, source-with-two-destinations",
        "sys_kafka_topic_replication, t1, servicenow_topic, t2, t2, destination-used-twice",
        "sys_sc_message_replication, m0, name, '', name, bad-name",
        "sys_sc_message_replication, m0, messaging_service_connection, x, messaging_service_connection, unknown-connection",
        "kafka_connection, c0, active, false, active, unknown-connection",
        "kafka_connection, c0, bootstrap_servers, nonsense, bootstrap_servers, bad-bootstrap-servers",
        "kafka_connection, c0, consumer_group_id, ' ', consumer_group_id, bad-group-id",
        "kafka_connection, c0, additional_client_properties, sasl.jaas.config=x, additional_client_properties, wrong-value",
        "kafka_connection, c0, additional_client_properties, interceptor.classes=x, additional_client_properties, wrong-value",
        "kafka_connection, c0, additional_client_properties, group.id=x, additional_client_properties, managed-property",
        "kafka_connection, c0, additional_client_properties, nothing, additional_client_properties, wrong-value"
    })
    @DisplayName("a value that breaks a rule is refused with table, row and column")
    void refused(String table, String row, String column, String value, String at, String rule) {
        put(List.of("t1", "t2"));
        server.table(table).get(row).put(column, value);
        assertThat(faults())
                .extracting(RecordFault::toString)
                .anySatisfy(
                        fault ->
                                assertThat(fault)
                                        .startsWith(host() + "/" + table + "/")
                                        .contains("/" + at + ": " + rule + ": "));
    }

    @Test
    @DisplayName("duplicate names, loops and two active connections of an alias are refused, too")
    void conflicts() {
        put(List.of("t1"));
        server.put(
                TOPICS,
                "t2",
                "direction",
                "From ServiceNow",
                "topic_name",
                "t1",
                "servicenow_topic",
                "t1",
                "replication",
                "m0",
                "active",
                "true");
        server.table(REPLICATIONS).put("m1", server.table(REPLICATIONS).get("m0"));
        server.table(CONNECTIONS).put("c1", server.table(CONNECTIONS).get("c0"));
        List<RecordFault> faults = faults();
        assertThat(faults)
                .extracting(fault -> fault.rule().id())
                .contains("loop", "duplicate-message-replication", "unknown-connection");
        assertThat(faults)
                .filteredOn(fault -> fault.rule().id().equals("duplicate-message-replication"))
                .singleElement()
                .asString()
                .contains("/m1/name: ")
                .contains("(" + host() + "/" + REPLICATIONS + "/m0/name)");
    }

    @Test
    @DisplayName("conflicts count among active rows only, and connections that nothing uses do not")
    void inactive() {
        put(List.of("t1", "t2"));
        server.table(TOPICS).get("t2").put("topic_name", "t1");
        server.table(TOPICS).get("t2").put("active", "false");
        server.put(
                CONNECTIONS,
                "other",
                "name",
                "",
                "connection_alias",
                "",
                "bootstrap_servers",
                "nonsense",
                "consumer_group_id",
                "",
                "additional_client_properties",
                "sasl.jaas.config=x",
                "active",
                "true");
        assertThat(records().connections()).hasSize(1);
    }

    // What answers are taken

    @Test
    @DisplayName("a table of several pages is read as a whole")
    void pages() {
        put(IntStream.range(100, 117).mapToObj(i -> "t" + i).toList());
        assertThat(records().topicReplications()).hasSize(17);
        assertThat(server.calls).noneMatch(call -> call.contains("elsewhere"));
    }

    @Test
    @DisplayName("what changes between pages or reads is read again until two reads are the same")
    void changesWhileRead() {
        put(List.of("t1", "t2", "t3", "t4", "t5"));
        AtomicInteger changes = new AtomicInteger();
        server.fault =
                exchange -> {
                    if (exchange.getRequestURI().toString().contains("offset=3")) {
                        int count = changes.incrementAndGet();
                        if (count == 1) {
                            server.table(TOPICS).remove("t1");
                        } else if (count == 2) {
                            server.topic("t0");
                        }
                    }
                    return false;
                };
        assertThat(records().topicReplications())
                .extracting(TopicReplication::id)
                .containsExactly("t0", "t2", "t3", "t4", "t5");
    }

    @Test
    @DisplayName("what changes from read to read is not taken at all")
    void neverSteady() {
        put(List.of("t1"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        AtomicInteger reads = new AtomicInteger();
        server.fault =
                exchange -> {
                    if (exchange.getRequestURI().getPath().endsWith(TOPICS)) {
                        server.table(TOPICS)
                                .get("t1")
                                .put("topic_name", "x" + reads.incrementAndGet());
                    }
                    return false;
                };
        assertThat(faults(store, known))
                .singleElement()
                .asString()
                .contains("instance-answer: the tables change from read to read");
        assertThat(reads).hasValue(4);
    }

    @Test
    @DisplayName("rows that the user may not read are missing rows, not records that are gone")
    void hiddenRows() {
        put(List.of("t1", "t2"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        server.body =
                bytes ->
                        new String(bytes, StandardCharsets.UTF_8)
                                .replaceFirst("\\{\"sys_id\":\\{[^}]*\"t1\"}.*?}},", "")
                                .getBytes(StandardCharsets.UTF_8);
        assertThat(faults(store, known))
                .singleElement()
                .asString()
                .contains(
                        TOPICS
                                + ": instance-answer: has 2 rows, but answers 1; may the user read all of them?");
    }

    @Test
    @DisplayName("empty tables are refused: rather a lost right than the wish to stop everything")
    void empty() {
        put(List.of("t1"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        server.table(TOPICS).clear();
        assertThat(faults(store, known))
                .hasSize(1)
                .first()
                .asString()
                .contains("set them inactive");
        server.table(REPLICATIONS).clear();
        assertThat(faults(store, known))
                .hasSize(1)
                .first()
                .asString()
                .contains("set them inactive");
    }

    private static boolean raw(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        TableApiServer.send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
        return true;
    }

    private TableApiServer.Fault named(String name) {
        return switch (name) {
            case "login page" ->
                    exchange -> raw(exchange, 200, "text/html", "<html><form>login</form>");
            case "no type" ->
                    exchange -> {
                        byte[] json = "{\"result\":[]}".getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(200, json.length);
                        exchange.getResponseBody().write(json);
                        return true;
                    };
            case "no json" -> exchange -> raw(exchange, 200, "application/json", "{\"result\":[");
            case "no list" -> exchange -> raw(exchange, 200, "application/json", "{\"result\":{}}");
            case "no count" ->
                    exchange -> raw(exchange, 200, "application/json", "{\"result\":[]}");
            case "too large" ->
                    exchange ->
                            raw(
                                    exchange,
                                    200,
                                    "application/json",
                                    "[" + "1,".repeat(HttpCalls.MAX_BODY / 2 + 1) + "1]");
            case "half a body" ->
                    exchange -> {
                        exchange.getResponseHeaders().set("Content-Type", "application/json");
                        exchange.sendResponseHeaders(200, 1000);
                        exchange.getResponseBody().write("{\"result\":[".getBytes());
                        exchange.getResponseBody().flush();
                        throw new IOException("cut");
                    };
            case "500" ->
                    exchange -> {
                        TableApiServer.error(exchange, 500, "Transaction cancelled");
                        return true;
                    };
            case "429" ->
                    exchange -> {
                        exchange.getResponseHeaders().set("Retry-After", "0");
                        TableApiServer.error(exchange, 429, "Rate limit exceeded");
                        return true;
                    };
            case "403" ->
                    exchange -> {
                        TableApiServer.error(exchange, 403, "Insufficient rights to query records");
                        return true;
                    };
            case "redirect" ->
                    exchange -> {
                        exchange.getResponseHeaders().set("Location", "https://evil.invalid/x");
                        return raw(exchange, 302, "text/plain", "");
                    };
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "login page, instance-answer: , answers text/html in place of JSON; a login page",
        "no type, instance-answer: , answers no type in place of JSON",
        "no json, instance-answer: , is no JSON at line 1",
        "no list, instance-answer: , without the list",
        "no count, instance-answer: , answers no X-Total-Count",
        "too large, instance-answer: , answers more than 4194304 bytes",
        "half a body, instance-answer: , ends its answer in the middle",
        "500, instance-unreachable: , status 500 (Transaction cancelled)",
        "429, instance-unreachable: , too many requests",
        "403, instance-refused: , lacks the right",
        "redirect, instance-refused: , redirects to evil.invalid"
    })
    @DisplayName("an answer that is none keeps the version; it is one and the same fault")
    void answers(String name, String rule, String text) {
        put(List.of("t1"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        server.fault = named(name);

        List<RecordFault> faults = faults(store, known);

        assertThat(faults)
                .singleElement()
                .asString()
                .contains(rule.replace(": ", ""))
                .contains(text);
        assertThat(faults(store, known)).isEqualTo(faults);
        server.fault = exchange -> false;
        assertThat(store.newer(known)).isEmpty();
    }

    @Test
    @DisplayName("a slow answer ends at the limit, in the headers or in the body")
    void slow() {
        put(List.of("t1"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        limit = Duration.ofMillis(300);
        RecordStore hasty = store(BASIC);
        server.fault =
                exchange -> {
                    exchange.getResponseHeaders().set("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody().write('{');
                    exchange.getResponseBody().flush();
                    hang();
                    return true;
                };
        // The cache serves the start of the second one.
        assertThat(hasty.newer(null).orElseThrow().id()).isEqualTo(known);
        assertThat(faults(hasty, known)).singleElement().asString().contains("within 300 ms");
        server.fault =
                exchange -> {
                    hang();
                    return true;
                };
        RecordStore third = store(BASIC);
        third.newer(null);
        assertThat(faults(third, known)).singleElement().asString().contains("within 300 ms");
    }

    private static void hang() {
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @DisplayName("a column that is not in the answer is no empty column")
    void missingColumn() {
        put(List.of("t1"));
        server.table(CONNECTIONS).get("c0").remove("consumer_group_id");
        assertThat(faults())
                .singleElement()
                .asString()
                .contains(
                        CONNECTIONS
                                + "/c0/consumer_group_id: instance-answer: is not in the answer");
    }

    @Test
    @DisplayName("a table that is not there is said with its name")
    void missingTable() {
        put(List.of("t1"));
        server.tables.remove(REPLICATIONS);
        assertThat(faults())
                .singleElement()
                .asString()
                .contains(
                        REPLICATIONS
                                + ": instance-refused: answers status 400 (Invalid table "
                                + REPLICATIONS);
    }

    // Who asks

    @Test
    @DisplayName("a wrong password is refused, and told nowhere")
    void wrongPassword() {
        put(List.of("t1"));
        InstanceRecordStore store =
                store(new Credentials("reader", Secret.of("wr0ng-pass"), null, null));
        assertThat(faults(store, null)).singleElement().asString().contains("instance-refused");
        assertThat(logs.lines()).noneMatch(line -> line.contains("wr0ng-pass"));
    }

    private static Credentials oauth(String user) {
        return new Credentials(
                user,
                user == null ? null : Secret.of(TableApiServer.PASSWORD),
                TableApiServer.CLIENT,
                Secret.of(TableApiServer.CLIENT_SECRET));
    }

    @Test
    @DisplayName(
            "a token is used while it lasts, got anew by its refresh token, or by the password")
    void passwordGrant() {
        put(List.of("t1"));
        InstanceRecordStore store = store(oauth(TableApiServer.USER));
        String known = store.newer(null).orElseThrow().id();
        store.newer(known);
        assertThat(server.grants).containsExactly("password");
        server.endTokens();
        assertThat(store.newer(known)).isEmpty();
        assertThat(server.grants).containsExactly("password", "refresh_token");
        server.endTokens();
        server.endRefreshTokens();
        assertThat(store.newer(known)).isEmpty();
        assertThat(server.grants)
                .containsExactly("password", "refresh_token", "refresh_token", "password");
        assertThat(server.authorizations).allMatch(header -> header.startsWith("Bearer token-"));
    }

    @Test
    @DisplayName("a client alone has the grant of client credentials; a refused one is told")
    void clientCredentials() {
        put(List.of("t1"));
        assertThat(store(oauth(null)).newer(null)).isPresent();
        assertThat(server.grants).containsExactly("client_credentials");
        cache().toFile().delete();
        InstanceRecordStore other =
                store(new Credentials(null, null, "client-id", Secret.of("wr0ng-secret")));
        assertThat(faults(other, null))
                .singleElement()
                .asString()
                .contains(
                        "gives no token for the grant client_credentials (status 401, access_denied)")
                .doesNotContain("wr0ng");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acme.service-now.com",
                "http://acme.service-now.com",
                "https://user:pass@acme.service-now.com",
                "https://acme.service-now.com/path",
                "https://acme.service-now.com?x=y",
                "https://",
                "not a url"
            })
    @DisplayName("only the bare https address of an instance is taken")
    void urls(String url) {
        IllegalArgumentException e =
                catchThrowableOfType(IllegalArgumentException.class, () -> InstanceUrl.parse(url));
        assertThat(e).hasMessageStartingWith("records: what follows servicenow: ");
        assertThat(e.getMessage()).doesNotContain("pass@");
    }

    // The cache

    @Test
    @DisplayName("a start without the instance has the last good version, and says so")
    void startsFromCache() throws Exception {
        put(List.of("t1"));
        RecordsVersion live = store(BASIC).newer(null).orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache())))
                .isEqualTo("rw-------");
        assertThat(Files.readString(cache())).doesNotContain(TableApiServer.PASSWORD);
        remove();
        logs.lines().clear();

        InstanceRecordStore store = store(BASIC);
        RecordsVersion cached = store.newer(null).orElseThrow();
        assertThat(cached.id()).isEqualTo(live.id());
        assertThat(cached.records()).isEqualTo(live.records());
        assertThat(store.state()).startsWith("from the cache " + cache() + ", read from");
        assertThat(logs.lines())
                .filteredOn(line -> line.contains("this start uses version " + live.id()))
                .hasSize(1);
        assertThat(faults(store, cached.id())).first().asString().contains("status 503");

        server.fault = exchange -> false;
        assertThat(store.newer(cached.id())).isEmpty();
        assertThat(store.state()).startsWith("live, read from the instance at ");
        remove();
        faults(store, cached.id());
        assertThat(store.state()).startsWith("not live, last read from the instance at ");
    }

    @Test
    @DisplayName("records that break a rule do not stop a start either, and are never cached")
    void brokenAtStart() throws Exception {
        put(List.of("t1"));
        String known = store(BASIC).newer(null).orElseThrow().id();
        String good = Files.readString(cache());
        spoil();
        InstanceRecordStore store = store(BASIC);
        assertThat(store.newer(null).orElseThrow().id()).isEqualTo(known);
        assertThat(faults(store, known)).first().asString().contains("wrong-value");
        assertThat(Files.readString(cache())).isEqualTo(good);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"format\" : 1', '\"format\" : 2', is no cache of this release",
        "'127.0.0.1', 'other.host', is of another instance",
        "'localhost:9092', 'evil:9092', is damaged",
        "'}', '', can't be read"
    })
    @DisplayName("a cache that is not what was written is refused in one line")
    void damagedCache(String from, String to, String reason) throws Exception {
        put(List.of("t1"));
        records();
        Files.writeString(cache(), Files.readString(cache()).replace(from, to));
        remove();
        assertThat(faults())
                .filteredOn(fault -> fault.rule().id().equals("cache-unusable"))
                .singleElement()
                .asString()
                .startsWith(cache() + ": cache-unusable: the cache " + reason);
        assertThat(faults()).hasSize(2);
    }

    @Test
    @DisplayName("a cache that can't be written is one warning and stops nothing")
    void noCache() throws Exception {
        put(List.of("t1"));
        Files.createDirectory(cache());
        Files.createFile(cache().resolve("in the way"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        server.topic("t2");
        assertThat(store.newer(known)).isPresent();
        assertThat(logs.lines()).filteredOn(line -> line.contains("can't be written")).hasSize(1);
    }

    @Test
    @DisplayName("between two reads it answers without asking")
    void interval() {
        interval = Duration.ofHours(1);
        put(List.of("t1"));
        RecordStore store = store(BASIC);
        String known = store.newer(null).orElseThrow().id();
        int calls = server.calls.size();
        server.topic("t2");
        assertThat(store.newer(known)).isEmpty();
        assertThat(server.calls).hasSize(calls);
    }
}
