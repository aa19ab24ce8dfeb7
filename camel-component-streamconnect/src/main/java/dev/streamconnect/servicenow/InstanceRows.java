package dev.streamconnect.servicenow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.servicenow.TableApi.Cell;
import dev.streamconnect.servicenow.TableApi.Row;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The rows of the three tables that records are made of, as texts: what of the answers counts.
 *
 * @param messageReplications by {@code sys_id}, fields by name
 * @param topicReplications likewise; a direction also with its label
 * @param connections likewise; only those that a message replication uses
 */
record InstanceRows(
        Map<String, Map<String, String>> messageReplications,
        Map<String, Map<String, String>> topicReplications,
        Map<String, Map<String, String>> connections) {

    /** Where the label of a direction is. */
    static final String DIRECTION_LABEL = "directionLabel";

    /** References, of which the id counts and not the label. */
    private static final Set<String> REFERENCES =
            Set.of("connection", "messageReplication", "alias");

    private static final int ID_BYTES = 8;

    static InstanceRows of(
            List<Row> messageReplications, List<Row> topicReplications, List<Row> connections) {
        Map<String, Map<String, String>> replications = texts(messageReplications);
        Set<String> used =
                replications.values().stream()
                        .map(row -> row.getOrDefault("connection", ""))
                        .collect(Collectors.toSet());
        Map<String, Map<String, String>> kept = texts(connections);
        kept.entrySet()
                .removeIf(
                        row ->
                                !used.contains(row.getKey())
                                        && !used.contains(
                                                row.getValue().getOrDefault("alias", "")));
        return new InstanceRows(replications, texts(topicReplications), kept);
    }

    private static Map<String, Map<String, String>> texts(List<Row> rows) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (Row row : rows) {
            Map<String, String> fields = new TreeMap<>();
            row.cells()
                    .forEach(
                            (field, cell) -> {
                                fields.put(field, text(field, cell));
                                if (field.equals("direction")) {
                                    fields.put(DIRECTION_LABEL, cell.label());
                                }
                            });
            all.put(row.sysId(), fields);
        }
        return all;
    }

    private static String text(String field, Cell cell) {
        boolean byId = REFERENCES.contains(field) || field.equals("direction");
        return byId ? cell.value() : cell.text();
    }

    /** As JSON, always the same for the same rows. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set(InstanceTable.MESSAGE_REPLICATIONS.key(), json(messageReplications));
        json.set(InstanceTable.TOPIC_REPLICATIONS.key(), json(topicReplications));
        json.set(InstanceTable.CONNECTIONS.key(), json(connections));
        return json;
    }

    private static ArrayNode json(Map<String, Map<String, String>> rows) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        rows.forEach(
                (sysId, fields) -> {
                    ObjectNode row = array.addObject().put("sys_id", sysId);
                    fields.forEach(row::put);
                });
        return array;
    }

    /** What {@link #json} has made; the caller has checked that nobody changed it. */
    static InstanceRows of(JsonNode json) {
        return new InstanceRows(
                rows(json.path(InstanceTable.MESSAGE_REPLICATIONS.key())),
                rows(json.path(InstanceTable.TOPIC_REPLICATIONS.key())),
                rows(json.path(InstanceTable.CONNECTIONS.key())));
    }

    private static Map<String, Map<String, String>> rows(JsonNode array) {
        Map<String, Map<String, String>> all = new TreeMap<>();
        for (JsonNode row : array) {
            Map<String, String> fields = new TreeMap<>();
            row.properties()
                    .forEach(
                            field -> {
                                if (!field.getKey().equals("sys_id")) {
                                    fields.put(field.getKey(), field.getValue().asText());
                                }
                            });
            all.put(row.path("sys_id").asText(), fields);
        }
        return all;
    }

    /** Tells versions apart, also by what an overlay adds. */
    String version(Overlay overlay) {
        return hash(json() + "\n" + overlay.text()).substring(0, 2 * ID_BYTES);
    }

    static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
