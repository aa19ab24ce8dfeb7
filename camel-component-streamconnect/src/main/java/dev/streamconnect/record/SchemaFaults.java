package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ValidationMessage;
import dev.streamconnect.cluster.NearNames;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Says what the schema refuses in words of the records. Values are quoted only for fields that
 * never hold a secret.
 */
final class SchemaFaults {

    private static final Set<String> QUOTABLE =
            Set.of("direction", "mechanism", "onGap", "onRecreated", "route");

    private final RecordsSchema schema;
    private final YamlDocument document;
    private final Faults faults;
    private final Set<ValidationMessage> messages;

    SchemaFaults(RecordsSchema schema, YamlDocument document, Faults faults) {
        this.schema = schema;
        this.document = document;
        this.faults = faults;
        this.messages = schema.validate(document.root());
    }

    /** Pointers of values that are missing, or that no rule can be judged by. */
    Set<String> unreadable() {
        Set<String> pointers = new HashSet<>(document.unresolved());
        for (ValidationMessage message : messages) {
            String pointer = message.getInstanceLocation().toString();
            switch (message.getType()) {
                case "required" -> pointers.add(Places.child(pointer, message.getProperty()));
                case "type", "enum" -> pointers.add(pointer);
                case "pattern" -> {
                    if (schema.at(pointer).path("type").toString().contains("boolean")) {
                        pointers.add(pointer);
                    }
                }
                default -> {}
            }
        }
        return pointers;
    }

    /** Adds the schema's faults, but for values that have one already. */
    void add() {
        Set<String> unreadable = unreadable();
        for (ValidationMessage message : messages) {
            String pointer = message.getInstanceLocation().toString();
            if (document.unresolved().contains(pointer)) {
                continue;
            }
            switch (message.getType()) {
                case "additionalProperties" -> unknown(pointer, message.getProperty());
                case "required" -> {
                    // What else SASL needs goes by its mechanism.
                    String mechanism = Places.child(pointer, "mechanism");
                    if (message.getProperty().equals("mechanism")
                            || !unreadable.contains(mechanism)) {
                        missing(pointer, message.getProperty());
                    }
                }
                case "type" -> wrongType(pointer);
                default -> wrongValue(pointer);
            }
        }
    }

    private void unknown(String pointer, String field) {
        Set<String> known = schema.fieldsAt(pointer);
        List<String> near = NearNames.of(field, known);
        String mend =
                near.isEmpty()
                        ? "known here: " + String.join(", ", known)
                        : "did you mean " + String.join(" or ", near) + "?";
        String child = Places.child(pointer, field);
        // A word without a value can be a piece of a password with a comma in it.
        String name = document.root().at(child).isNull() ? "with that name" : Texts.quote(field);
        faults.addAtKey(
                child, RecordRule.UNKNOWN_FIELD, "there is no field " + name + " here; " + mend);
    }

    private void missing(String pointer, String field) {
        String mend = field.equals("version") ? "start the file with 'version: 1'" : "add it";
        faults.add(
                pointer,
                RecordRule.MISSING_FIELD,
                "'" + field + "' is missing in " + owner(pointer) + "; " + mend);
    }

    private void wrongType(String pointer) {
        if (faults.has(pointer)) {
            return;
        }
        JsonNode value = document.root().at(pointer);
        String expected = expected(schema.at(pointer).path("type"));
        String found = found(value);
        String mend =
                value.isNull() ? "; give it a value or remove it" : "; " + mend(expected, value);
        faults.add(
                pointer,
                RecordRule.WRONG_TYPE,
                name(pointer) + " must be " + expected + ", but is " + found + mend);
    }

    private void wrongValue(String pointer) {
        if (faults.has(pointer)) {
            return;
        }
        String field = Places.lastField(pointer);
        JsonNode value = document.root().at(pointer);
        if (value.isTextual() && value.asText().isEmpty()) {
            String message = name(pointer) + " is empty; give it a value or remove it";
            faults.add(pointer, RecordRule.WRONG_VALUE, message);
            return;
        }
        JsonNode allowed = schema.at(pointer).path("enum");
        String shown =
                QUOTABLE.contains(field) && value.isTextual()
                        ? " is " + Texts.quote(value.asText())
                        : " has a value that is not allowed";
        String mend;
        if (allowed.isArray()) {
            List<String> names = new ArrayList<>();
            allowed.forEach(name -> names.add(name.asText()));
            mend = "use one of " + String.join(", ", names);
        } else if (schema.at(pointer).path("type").toString().contains("boolean")) {
            mend = "use true or false";
        } else {
            mend = schema.at(pointer).path("description").asText("see the docs");
        }
        faults.add(pointer, RecordRule.WRONG_VALUE, name(pointer) + shown + "; " + mend);
    }

    private static String name(String pointer) {
        if (pointer.isEmpty()) {
            return "the file";
        }
        String field = Places.lastField(pointer);
        if (pointer.contains("/properties/")) {
            return "a property";
        }
        return field.matches("\\d+") ? owner(pointer) : Texts.quote(field);
    }

    private static String owner(String pointer) {
        if (pointer.isEmpty()) {
            return "the file";
        }
        String[] steps = pointer.split("/", -1);
        String last = steps[steps.length - 1];
        if (!last.matches("\\d+") || steps.length < 2) {
            return Texts.quote(Places.lastField(pointer));
        }
        switch (steps[steps.length - 2]) {
            case "credentials":
                return "the credential";
            case "connections":
                return "the connection";
            case "messageReplications":
                return "the message replication";
            case "topicReplications":
                return "the topic replication";
            default:
                return "the entry";
        }
    }

    private static String mend(String expected, JsonNode value) {
        return switch (expected) {
            case "text" -> value.isValueNode() ? "put it in quotes" : "write one value";
            case "a number" -> "write digits without quotes";
            case "true or false" -> "write it without quotes";
            case "a list" -> "begin each entry with '- '";
            default -> "write its fields below it, indented";
        };
    }

    private static String expected(JsonNode type) {
        String first = type.isArray() ? type.path(0).asText() : type.asText();
        switch (first) {
            case "string":
                return "text";
            case "boolean":
                return "true or false";
            case "array":
                return "a list";
            case "object":
                return "an object with fields";
            default:
                return first.isEmpty() ? "of another type" : "a number";
        }
    }

    private static String found(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return "empty";
        }
        if (value.isArray()) {
            return "a list";
        }
        if (value.isObject()) {
            return "an object";
        }
        if (value.isBoolean()) {
            return "true or false";
        }
        return value.isNumber() ? "a number" : "text";
    }
}
