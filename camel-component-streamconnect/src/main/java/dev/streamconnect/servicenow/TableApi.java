package dev.streamconnect.servicenow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/**
 * The Table API of an instance. Rows are read page by page in the order of their ids. What an
 * answer leaves out or changes between pages is a fault, never a smaller table. Not for several
 * threads.
 */
final class TableApi {

    /** Rows of a page. */
    static final int PAGE = 500;

    /** Rows of a table that are read. */
    static final int MAX_ROWS = 10_000;

    private static final Pattern SYS_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    private final InstanceUrl instance;
    private final HttpCalls http;
    private final Authorization authorization;
    private final Clock clock;
    private final int page;

    /**
     * @param tls null for Java's own
     * @param limit for each call
     */
    TableApi(
            InstanceUrl instance,
            Credentials credentials,
            SSLContext tls,
            Duration limit,
            Clock clock) {
        this(instance, credentials, tls, limit, clock, PAGE);
    }

    TableApi(
            InstanceUrl instance,
            Credentials credentials,
            SSLContext tls,
            Duration limit,
            Clock clock,
            int page) {
        this.instance = instance;
        this.http = new HttpCalls(tls, limit);
        this.authorization = new Authorization(instance, credentials, http, clock);
        this.clock = clock;
        this.page = page;
    }

    /**
     * One column of a row.
     *
     * @param value the value, the id of a row for a reference; never null
     * @param label what people see; never null
     * @param reference true if the value is the id of a row of another table
     */
    record Cell(String value, String label, boolean reference) {

        /** What people mean by it: a reference is known by its label. */
        String text() {
            return reference ? label : value;
        }
    }

    /**
     * A row.
     *
     * @param cells by the field that the column holds; each of those that were asked for
     */
    record Row(String sysId, Map<String, Cell> cells) {}

    /**
     * All rows of a table.
     *
     * @param total how many there are, as the instance says
     */
    record Rows(List<Row> rows, int total) {

        boolean isWhole() {
            return rows.size() == total;
        }
    }

    /**
     * Reads all rows that match.
     *
     * @param query an encoded query; empty for all
     * @throws InstanceException if they can't be read, or not as they were at one moment
     */
    Rows read(TableNames names, String query) throws InstanceException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        int total = -1;
        for (int offset = 0; offset == 0 || offset < total; offset += page) {
            HttpCalls.Answer answer = send(names, pageUri(names, query, offset), null, null);
            JsonNode result = result(names, answer);
            int now = total(names, answer);
            if (total >= 0 && now != total) {
                throw InstanceException.answer(
                        where(names), "changed from " + total + " to " + now + " rows while read");
            }
            total = now;
            if (total > MAX_ROWS) {
                throw InstanceException.answer(
                        where(names), "has " + total + " rows; at most " + MAX_ROWS + " are read");
            }
            for (JsonNode each : result) {
                Row row = row(names, each);
                if (!ids.add(row.sysId())) {
                    throw InstanceException.answer(
                            where(names) + "/" + row.sysId(), "came twice; it changed while read");
                }
                rows.add(row);
            }
            if (rows.size() > total) {
                throw InstanceException.answer(
                        where(names), "answers more rows than the " + total + " that it says");
            }
        }
        return new Rows(rows, total);
    }

    private String where(TableNames names) {
        return instance.host() + "/" + names.table();
    }

    private URI pageUri(TableNames names, String query, int offset) {
        Set<String> fields = new TreeSet<>(names.columns().values());
        fields.add("sys_id");
        return tableUri(
                names,
                "?sysparm_query="
                        + encoded((query.isEmpty() ? "" : query + "^") + "ORDERBYsys_id")
                        + "&sysparm_fields="
                        + encoded(String.join(",", fields))
                        + "&sysparm_display_value=all&sysparm_limit="
                        + page
                        + "&sysparm_offset="
                        + offset);
    }

    private URI tableUri(TableNames names, String rest) {
        return URI.create(instance + "/api/now/table/" + names.table() + rest);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private HttpCalls.Answer send(TableNames names, URI uri, String method, String body)
            throws InstanceException, InterruptedException {
        HttpCalls.Answer answer = http.send(request(uri, method, body));
        if (answer.status() == 401 && authorization.renew()) {
            answer = http.send(request(uri, method, body));
        }
        AnswerJson.requireOk(where(names), answer, clock);
        return answer;
    }

    private HttpRequest.Builder request(URI uri, String method, String body)
            throws InstanceException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(uri)
                        .header("Accept", "application/json")
                        .header("Authorization", authorization.header());
        if (body == null) {
            return request.GET();
        }
        return request.header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body));
    }

    private int total(TableNames names, HttpCalls.Answer answer) throws InstanceException {
        String text = answer.header("X-Total-Count");
        if (!text.matches("\\d{1,9}")) {
            throw InstanceException.answer(
                    where(names),
                    "answers no X-Total-Count; without it nobody knows whether all rows are there");
        }
        return Integer.parseInt(text);
    }

    private JsonNode result(TableNames names, HttpCalls.Answer answer) throws InstanceException {
        JsonNode result = AnswerJson.read(where(names), answer).path("result");
        if (!result.isArray()) {
            throw InstanceException.answer(
                    where(names), "answers JSON without the list 'result'; is it the Table API?");
        }
        return result;
    }

    private Row row(TableNames names, JsonNode node) throws InstanceException {
        Optional<Cell> id = cell(node.path("sys_id"));
        if (id.isEmpty() || !SYS_ID.matcher(id.get().value()).matches()) {
            throw InstanceException.answer(where(names), "answers a row without a sys_id");
        }
        String sysId = id.get().value();
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (Map.Entry<String, String> column : names.columns().entrySet()) {
            JsonNode value = node.path(column.getValue());
            Cell cell =
                    cell(value)
                            .orElseThrow(
                                    () ->
                                            InstanceException.answer(
                                                    names.place(
                                                            instance.host(),
                                                            sysId,
                                                            column.getKey()),
                                                    (value.isMissingNode()
                                                            ? "is not in the answer; is the column called so, and may the user read it?"
                                                            : "is no value of a column")));
            cells.put(column.getKey(), cell);
        }
        return new Row(sysId, cells);
    }

    /** A text, or an object with a value and perhaps a label and a link. */
    private static Optional<Cell> cell(JsonNode node) {
        if (node.isTextual()) {
            return Optional.of(new Cell(node.asText(), node.asText(), false));
        }
        JsonNode value = node.path("value");
        JsonNode label = node.path("display_value");
        boolean empty = value.isNull() && (label.isNull() || label.isTextual());
        if (empty) {
            return Optional.of(new Cell("", "", false));
        }
        if (!value.isTextual() || !(label.isTextual() || label.isNull() || label.isMissingNode())) {
            return Optional.empty();
        }
        String shown = label.isTextual() ? label.asText() : value.asText();
        return Optional.of(new Cell(value.asText(), shown, node.has("link")));
    }

    /**
     * Makes a row.
     *
     * @return its id
     */
    String create(TableNames names, Map<String, String> values)
            throws InstanceException, InterruptedException {
        HttpCalls.Answer answer =
                send(names, tableUri(names, "?sysparm_fields=sys_id"), "POST", body(names, values));
        Optional<Cell> id =
                cell(AnswerJson.read(where(names), answer).path("result").path("sys_id"));
        return id.map(Cell::value)
                .filter(value -> SYS_ID.matcher(value).matches())
                .orElseThrow(
                        () ->
                                InstanceException.answer(
                                        where(names), "answers a new row without a sys_id"));
    }

    /** Changes a row. */
    void update(TableNames names, String sysId, Map<String, String> values)
            throws InstanceException, InterruptedException {
        send(
                names,
                tableUri(names, "/" + sysId + "?sysparm_fields=sys_id"),
                "PATCH",
                body(names, values));
    }

    private static String body(TableNames names, Map<String, String> values) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        values.forEach(
                (field, value) -> {
                    String column = names.columns().get(field);
                    if (column != null) {
                        body.put(column, value);
                    }
                });
        return body.toString();
    }
}
