package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the fields of one JSON object, taking those of a wrong type or without value as absent. */
final class JsonFields {

    private final JsonNode node;
    private final String pointer;
    private final Set<String> unresolved;

    JsonFields(JsonNode node, String pointer, Set<String> unresolved) {
        this.node = node;
        this.pointer = pointer;
        this.unresolved = unresolved;
    }

    String pointer() {
        return pointer;
    }

    String pointer(String field) {
        return Places.child(pointer, field);
    }

    boolean has(String field) {
        return node.has(field);
    }

    Optional<String> text(String field) {
        JsonNode value = node.path(field);
        return value.isTextual() && !unresolved.contains(pointer(field))
                ? Optional.of(value.asText())
                : Optional.empty();
    }

    /** Empty where there is none that can be read. */
    String textOrEmpty(String field) {
        return text(field).orElse("");
    }

    Optional<Secret> secret(String field) {
        return text(field).map(Secret::of);
    }

    boolean flag(String field, boolean otherwise) {
        return node.path(field).asBoolean(otherwise);
    }

    Optional<JsonFields> object(String field) {
        JsonNode value = node.path(field);
        return value.isObject()
                ? Optional.of(new JsonFields(value, pointer(field), unresolved))
                : Optional.empty();
    }

    List<JsonFields> objects(String field) {
        List<JsonFields> found = new ArrayList<>();
        JsonNode list = node.path(field);
        for (int i = 0; i < list.size() && list.isArray(); i++) {
            if (list.get(i).isObject()) {
                String at = Places.child(pointer(field), i);
                found.add(new JsonFields(list.get(i), at, unresolved));
            }
        }
        return found;
    }

    /** Entries of a list; 0 where there is none. */
    int size(String field) {
        return node.path(field).isArray() ? node.path(field).size() : 0;
    }

    List<String> names() {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
