package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.TreeSet;

/** The shipped JSON Schema: validates, and knows what is allowed at a place. */
final class RecordsSchema {

    /** Resource path of the schema, for editors too. */
    static final String RESOURCE = "/META-INF/streamconnect/replication-records.schema.json";

    private static final class Holder {
        static final RecordsSchema INSTANCE = new RecordsSchema();
    }

    private final JsonNode source;
    private final JsonSchema schema;

    private RecordsSchema() {
        try (InputStream stream = RecordsSchema.class.getResourceAsStream(RESOURCE)) {
            source = new ObjectMapper().readTree(stream);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
        SchemaValidatorsConfig config =
                SchemaValidatorsConfig.builder().pathType(PathType.JSON_POINTER).build();
        schema =
                JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(source, config);
    }

    static RecordsSchema get() {
        return Holder.INSTANCE;
    }

    Set<ValidationMessage> validate(JsonNode root) {
        return schema.validate(root);
    }

    /** Names of the fields that the object at the pointer may have. */
    Set<String> fieldsAt(String pointer) {
        Set<String> names = new TreeSet<>();
        at(pointer).path("properties").fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The schema of the value at the pointer; a missing node if there is none. */
    JsonNode at(String pointer) {
        JsonNode node = followed(source);
        if (pointer.isEmpty()) {
            return node;
        }
        for (String step : pointer.substring(1).split("/", -1)) {
            String field = step.replace("~1", "/").replace("~0", "~");
            JsonNode property = node.path("properties").path(field);
            if (property.isMissingNode()) {
                property = node.path(node.has("items") ? "items" : "additionalProperties");
            }
            node = followed(property);
        }
        return node;
    }

    private JsonNode followed(JsonNode node) {
        String reference = node.path("$ref").asText("");
        return reference.startsWith("#") ? source.at(reference.substring(1)) : node;
    }
}
