package dev.streamconnect.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Tables of the reference pages, made from the components' metadata and the records' schema. */
final class ReferenceTables {

    private static final String METADATA = "META-INF/dev/streamconnect/camel/%1$s/%1$s.json";

    private static final String RECORDS = "/META-INF/streamconnect/replication-records.schema.json";

    private ReferenceTables() {}

    /**
     * A table by its name: {@code hermes options}, {@code hermes headers}, {@code records}, or
     * {@code records} and an object of the schema.
     */
    static String table(String name) throws IOException {
        String[] words = name.split(" ");
        if (words[0].equals("records")) {
            JsonNode schema = json(RECORDS);
            return fields(schema, words.length == 1 ? schema : schema.at("/$defs/" + words[1]));
        }
        JsonNode component = json("/" + METADATA.formatted(words[0]));
        return switch (words[1]) {
            case "options" -> options(component);
            case "headers" -> headers(component);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static JsonNode json(String resource) throws IOException {
        try (InputStream in = ReferenceTables.class.getResourceAsStream(resource)) {
            return new ObjectMapper().readTree(in);
        }
    }

    // ---- of a component

    private static String options(JsonNode component) {
        Map<String, JsonNode> atComponent = byName(component.get("componentProperties"));
        Map<String, JsonNode> atEndpoint = byName(component.get("properties"));
        Map<String, JsonNode> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(atComponent);
        all.putAll(atEndpoint);
        Map<String, List<String>> rows = new TreeMap<>();
        all.forEach(
                (name, option) ->
                        rows.computeIfAbsent(order(option), order -> new ArrayList<>())
                                .add(
                                        row(
                                                "`" + name + "`",
                                                option.get("group").asText(),
                                                at(name, atComponent, atEndpoint),
                                                type(option),
                                                value(option),
                                                description(option))));
        return heading("option", "group", "at", "type", "default", "meaning")
                + rows.values().stream().flatMap(List::stream).collect(Collectors.joining());
    }

    /** The path first, then what all use, then by group. */
    private static String order(JsonNode option) {
        String group = option.get("group").asText();
        if (option.get("kind").asText().equals("path")) {
            return "0";
        }
        return (group.equals("common") ? "1" : group.contains("advanced") ? "3" : "2") + group;
    }

    private static String at(
            String name, Map<String, JsonNode> atComponent, Map<String, JsonNode> atEndpoint) {
        if (!atEndpoint.containsKey(name)) {
            return "component";
        }
        return atComponent.containsKey(name) ? "both" : "endpoint";
    }

    private static String headers(JsonNode component) {
        StringBuilder table = new StringBuilder(heading("header", "for", "type", "meaning"));
        component
                .get("headers")
                .properties()
                .forEach(
                        header ->
                                table.append(
                                        row(
                                                "`" + header.getKey() + "`",
                                                group(header.getValue()),
                                                "`" + simple(header.getValue()) + "`",
                                                description(header.getValue()))));
        return table.toString();
    }

    private static String group(JsonNode header) {
        String group = header.get("group").asText();
        return group.equals("common") ? "both" : group;
    }

    private static Map<String, JsonNode> byName(JsonNode properties) {
        return properties.properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static String type(JsonNode option) {
        return switch (option.get("type").asText()) {
            case "enum" -> values(option.get("enum"));
            case "string" -> "text";
            case "boolean" -> "true or false";
            case "integer" -> "number";
            default -> {
                String type = option.get("type").asText();
                yield type.equals("object") ? "`" + simple(option) + "`" : type;
            }
        };
    }

    private static String simple(JsonNode option) {
        return option.get("javaType").asText().replaceAll("[a-z]\\w*\\.", "");
    }

    private static String value(JsonNode option) {
        boolean open = option.get("javaType").asText().equals("java.lang.Boolean");
        if (option.path("required").asBoolean()) {
            return "required";
        }
        return option.has("defaultValue") && !open
                ? "`" + option.get("defaultValue").asText() + "`"
                : "";
    }

    private static String description(JsonNode described) {
        return described.path("secret").asBoolean()
                ? "Secret. " + described.get("description").asText()
                : described.get("description").asText();
    }

    // ---- of the records

    private static String fields(JsonNode schema, JsonNode object) {
        List<String> required =
                StreamSupport.stream(object.path("required").spliterator(), false)
                        .map(JsonNode::asText)
                        .toList();
        StringBuilder table = new StringBuilder(heading("field", "type", "default", "meaning"));
        object.get("properties")
                .properties()
                .forEach(
                        field -> {
                            JsonNode value = resolved(schema, field.getValue());
                            table.append(
                                    row(
                                            "`" + field.getKey() + "`",
                                            fieldType(value),
                                            required.contains(field.getKey())
                                                    ? "required"
                                                    : fieldDefault(value),
                                            value.get("description").asText() + length(value)));
                        });
        return table.toString();
    }

    private static JsonNode resolved(JsonNode schema, JsonNode field) {
        return field.has("$ref") ? schema.at(field.get("$ref").asText().substring(1)) : field;
    }

    private static String fieldType(JsonNode field) {
        if (field.has("enum")) {
            return values(field.get("enum"));
        }
        JsonNode type = field.get("type");
        return switch (type.isArray() ? type.get(0).asText() : type.asText()) {
            case "boolean" -> "true or false";
            case "integer" -> "number";
            case "array" -> "list";
            case "object" -> "object";
            default -> "text";
        };
    }

    private static String fieldDefault(JsonNode field) {
        JsonNode value = field.path("default");
        return value.isValueNode() ? "`" + value.asText() + "`" : "";
    }

    private static String length(JsonNode field) {
        return field.has("maxLength")
                ? " " + field.get("maxLength").asText() + " characters at most."
                : "";
    }

    // ---- of a table

    private static String values(JsonNode values) {
        return StreamSupport.stream(values.spliterator(), false)
                .map(value -> "`" + value.asText() + "`")
                .collect(Collectors.joining(", "));
    }

    private static String heading(String... columns) {
        return row(columns) + "|" + "---|".repeat(columns.length) + "\n";
    }

    private static String row(String... cells) {
        StringBuilder row = new StringBuilder("|");
        for (String cell : cells) {
            row.append(' ')
                    .append(cell.contains("`") ? cell : escaped(cell))
                    .append(cell.isEmpty() ? "|" : " |");
        }
        return row.append('\n').toString();
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*");
    }
}
