package dev.streamconnect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Tables of an instance on a local port, in the form of the Table API: one page, no faults. */
final class InstanceTables implements AutoCloseable {

    private final Map<String, Map<String, ObjectNode>> tables = new ConcurrentHashMap<>();
    private final HttpServer server;
    private volatile boolean away;

    InstanceTables() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/now/table/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Answers errors, or no more. */
    void away(boolean is) {
        away = is;
    }

    /** Puts a row there: its columns by name and value, in turns. */
    InstanceTables put(String table, String sysId, String... columns) {
        ObjectNode row = JsonNodeFactory.instance.objectNode().put("sys_id", sysId);
        for (int i = 0; i < columns.length; i += 2) {
            row.put(columns[i], columns[i + 1]);
        }
        rows(table).put(sysId, row);
        return this;
    }

    /** The rows that a table has now. */
    List<ObjectNode> in(String table) {
        return new ArrayList<>(rows(table).values());
    }

    private Map<String, ObjectNode> rows(String table) {
        return tables.computeIfAbsent(table, name -> Collections.synchronizedMap(new TreeMap<>()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/");
            if (away || exchange.getRequestHeaders().getFirst("Authorization") == null) {
                send(exchange, away ? 503 : 401, "{\"status\":\"failure\"}");
                return;
            }
            Map<String, ObjectNode> rows = rows(path[4]);
            if (exchange.getRequestMethod().equals("GET")) {
                ObjectNode answer = JsonNodeFactory.instance.objectNode();
                answer.putArray("result").addAll(rows.values());
                exchange.getResponseHeaders().set("X-Total-Count", String.valueOf(rows.size()));
                send(exchange, 200, answer.toString());
                return;
            }
            JsonNode given = new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes());
            String sysId = path.length > 5 ? path[5] : "row" + rows.size();
            rows.put(sysId, ((ObjectNode) given).put("sys_id", sysId));
            send(exchange, 201, "{\"result\":{\"sys_id\":\"" + sysId + "\"}}");
        }
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
