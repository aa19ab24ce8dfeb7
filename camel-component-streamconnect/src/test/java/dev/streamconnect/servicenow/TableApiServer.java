package dev.streamconnect.servicenow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.ServerNames;
import dev.streamconnect.certificate.Validity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A local HTTP server that answers as the Table API does, and as it is told to. */
public final class TableApiServer implements AutoCloseable {

    public static final String USER = "reader";
    public static final String PASSWORD = "pa:ss wörd";
    public static final String CLIENT = "client-id";
    public static final String CLIENT_SECRET = "client secret&";

    /** Answers in place of the server. */
    public interface Fault {
        /** Returns false to leave the answer to the server. */
        boolean answer(HttpExchange exchange) throws IOException;
    }

    static {
        // Else an answer of two packets waits for the client's acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Set<String> REFERENCES =
            Set.of(
                    "messaging_service_connection",
                    "replication",
                    "connection_alias",
                    "servicenow_topic");

    /** Rows by table and {@code sys_id}. */
    public final Map<String, Map<String, Map<String, String>>> tables = new ConcurrentHashMap<>();

    /** What was asked: method and path with query, no bodies. */
    public final List<String> calls = new CopyOnWriteArrayList<>();

    /** Grants of OAuth that tokens were asked by. */
    public final List<String> grants = new CopyOnWriteArrayList<>();

    /** Headers {@code Authorization} of calls. */
    public final List<String> authorizations = new CopyOnWriteArrayList<>();

    public volatile Fault fault = exchange -> false;
    public volatile UnaryOperator<byte[]> body = bytes -> bytes;
    public volatile int expiresIn = 1800;
    public volatile boolean refreshTokens = true;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger tokens = new AtomicInteger();
    private volatile String token = "no token yet";
    private volatile String refresh = "no token yet";

    public TableApiServer() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    /**
     * One that speaks HTTPS.
     *
     * @param authority issues its certificate
     * @param name the host that it is for
     */
    public static TableApiServer https(CertificateAuthority authority, String name)
            throws IOException, GeneralSecurityException {
        KeyMaterial key =
                authority.issueServer(
                        HermesSubject.server("instance", "acme"),
                        new ServerNames(List.of(name), List.of()),
                        Validity.of(Instant.now(), Duration.ofDays(1)));
        char[] password = "store-word".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", key.key(), password, key.chain().toArray(Certificate[]::new));
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        HttpsServer https =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new TableApiServer(https);
    }

    private TableApiServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public InstanceUrl url() {
        return InstanceUrl.parse(
                (server instanceof HttpsServer ? "https://localhost:" : "http://127.0.0.1:")
                        + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** The rows of a table. */
    public Map<String, Map<String, String>> table(String name) {
        return tables.computeIfAbsent(name, key -> Collections.synchronizedMap(new TreeMap<>()));
    }

    /** Puts a row there: its columns by name and value, in turns. */
    public TableApiServer put(String table, String sysId, String... columns) {
        Map<String, String> row = new TreeMap<>();
        for (int i = 0; i < columns.length; i += 2) {
            row.put(columns[i], columns[i + 1]);
        }
        table(table).put(sysId, row);
        return this;
    }

    /** A connection, an alias and a message replication, each named {@code plant}. */
    public TableApiServer plant() {
        put(
                "kafka_connection",
                "c0",
                "name",
                "plant",
                "connection_alias",
                "alias0",
                "bootstrap_servers",
                "localhost:9092",
                "consumer_group_id",
                "",
                "additional_client_properties",
                "",
                "active",
                "true");
        put(
                "sys_sc_message_replication",
                "m0",
                "name",
                "plant",
                "messaging_service_connection",
                "alias0",
                "application",
                "Assembly",
                "active",
                "true");
        return this;
    }

    /** A topic replication to ServiceNow of a topic that is called as the row. */
    public TableApiServer topic(String sysId) {
        return put(
                "sys_kafka_topic_replication",
                sysId,
                "direction",
                "to_servicenow",
                "topic_name",
                sysId,
                "servicenow_topic",
                sysId,
                "replication",
                "m0",
                "active",
                "true");
    }

    /** Tokens that were given are none any more. */
    public void endTokens() {
        token = "ended";
    }

    /** Refresh tokens, too. */
    public void endRefreshTokens() {
        refresh = "ended";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            calls.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            if (fault.answer(exchange)) {
                return;
            }
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/oauth_token.do")) {
                giveToken(exchange);
            } else if (!isKnown(exchange)) {
                error(exchange, 401, "User Not Authenticated");
            } else if (path.startsWith("/api/now/table/")) {
                serve(exchange, path.substring("/api/now/table/".length()).split("/"));
            } else {
                error(exchange, 404, "Requested URI does not represent any resource");
            }
        } catch (RuntimeException | IOException e) {
            // The client has hung up, or the server ends.
            exchange.close();
        }
    }

    private boolean isKnown(HttpExchange exchange) {
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        authorizations.add(String.valueOf(given));
        String basic =
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8));
        return basic.equals(given) || ("Bearer " + token).equals(given);
    }

    private void giveToken(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                query(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String grant = form.getOrDefault("grant_type", "");
        boolean known =
                CLIENT.equals(form.get("client_id"))
                        && CLIENT_SECRET.equals(form.get("client_secret"));
        boolean granted =
                switch (grant) {
                    case "password" ->
                            USER.equals(form.get("username"))
                                    && PASSWORD.equals(form.get("password"));
                    case "refresh_token" -> refresh.equals(form.get("refresh_token"));
                    case "client_credentials" -> true;
                    default -> false;
                };
        grants.add(grant);
        if (!known || !granted) {
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            answer.put("error", "access_denied").put("error_description", "access_denied");
            send(exchange, 401, answer.toString().getBytes(StandardCharsets.UTF_8));
            return;
        }
        token = "token-" + tokens.incrementAndGet();
        ObjectNode answer =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("access_token", token)
                        .put("scope", "useraccount")
                        .put("token_type", "Bearer")
                        .put("expires_in", expiresIn);
        if (refreshTokens && grant.equals("password")) {
            refresh = "refresh-" + tokens.get();
            answer.put("refresh_token", refresh);
        }
        send(exchange, 200, answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void serve(HttpExchange exchange, String[] path) throws IOException {
        Map<String, Map<String, String>> rows = tables.get(path[0]);
        if (rows == null) {
            error(exchange, 400, "Invalid table " + path[0]);
            return;
        }
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        switch (exchange.getRequestMethod()) {
            case "GET" -> list(exchange, rows, query);
            case "POST" -> {
                String sysId = "new" + tokens.incrementAndGet();
                rows.put(sysId, columns(exchange));
                one(exchange, 201, sysId);
            }
            case "PATCH" -> {
                Map<String, String> row = rows.get(path[1]);
                if (row == null) {
                    error(exchange, 404, "No Record found");
                    return;
                }
                row.putAll(columns(exchange));
                one(exchange, 200, path[1]);
            }
            default -> error(exchange, 405, "Method not supported");
        }
    }

    private static Map<String, String> columns(HttpExchange exchange) throws IOException {
        Map<String, String> columns = new TreeMap<>();
        JsonNode json = MAPPER.readTree(exchange.getRequestBody().readAllBytes());
        json.properties().forEach(each -> columns.put(each.getKey(), each.getValue().asText()));
        return columns;
    }

    private void one(HttpExchange exchange, int status, String sysId) throws IOException {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("result").put("sys_id", sysId);
        send(exchange, status, answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void list(
            HttpExchange exchange, Map<String, Map<String, String>> rows, Map<String, String> query)
            throws IOException {
        int limit = Integer.parseInt(query.get("sysparm_limit"));
        int offset = Integer.parseInt(query.get("sysparm_offset"));
        List<String> fields = Arrays.asList(query.get("sysparm_fields").split(","));
        List<String> matching = new ArrayList<>(rows.keySet());
        for (String condition : query.get("sysparm_query").split("\\^")) {
            String[] pair = condition.split("=", 2);
            if (pair.length == 2) {
                matching.removeIf(id -> !pair[1].equals(rows.get(id).get(pair[0])));
            }
        }
        ArrayNode result = JsonNodeFactory.instance.arrayNode();
        matching.stream()
                .skip(offset)
                .limit(limit)
                .forEach(sysId -> result.add(row(sysId, rows.get(sysId), fields)));
        exchange.getResponseHeaders().set("X-Total-Count", String.valueOf(matching.size()));
        if (offset + limit < matching.size()) {
            exchange.getResponseHeaders()
                    .set("Link", "<http://elsewhere.invalid/api/now/table/x>;rel=\"next\"");
        }
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.set("result", result);
        send(exchange, 200, body.apply(answer.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static ObjectNode row(String sysId, Map<String, String> row, List<String> fields) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putObject("sys_id").put("display_value", sysId).put("value", sysId);
        row.forEach(
                (column, value) -> {
                    if (fields.contains(column)) {
                        ObjectNode cell = json.putObject(column);
                        cell.put("display_value", value).put("value", value);
                        if (REFERENCES.contains(column) && !value.isEmpty()) {
                            cell.put("link", "https://elsewhere.invalid/" + value);
                        }
                    }
                });
        return json;
    }

    /** Answers an error as the Table API does. */
    public static void error(HttpExchange exchange, int status, String message) throws IOException {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putObject("error").put("message", message).putNull("detail");
        answer.put("status", "failure");
        send(exchange, status, answer.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, byte[] bytes) throws IOException {
        send(exchange, status, "application/json;charset=UTF-8", bytes);
    }

    public static void send(HttpExchange exchange, int status, String type, byte[] bytes)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new TreeMap<>();
        for (String pair : text == null ? new String[0] : text.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return query;
    }
}
