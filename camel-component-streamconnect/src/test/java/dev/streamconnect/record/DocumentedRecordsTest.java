package dev.streamconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import dev.streamconnect.cluster.KafkaClients;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocumentedRecordsTest {

    private static final Pattern YAML = Pattern.compile("(?s)```yaml\\n(.*?)```");

    static List<String> snippets() {
        List<String> snippets = new ArrayList<>();
        Matcher matcher = YAML.matcher(doc());
        while (matcher.find()) {
            snippets.add(matcher.group(1));
        }
        return snippets;
    }

    @Test
    void eachSnippetOfTheDocumentationIsValid() {
        assertThat(snippets()).hasSizeGreaterThanOrEqualTo(2);
        for (String snippet : snippets()) {
            ReplicationRecords records =
                    RecordsText.read(snippet, Optional.of("acme"), value -> "resolved");
            assertThat(records.topicReplications()).isNotEmpty();
        }
        assertThat(RecordsText.read(snippets().get(0)).topicReplications().get(1).id())
                .isEqualTo("plant-decisions-from-sn");
    }

    @Test
    void eachManagedClientPropertyIsDocumentedAndNoOther() {
        String table = doc().substring(doc().indexOf("| managed property |"));
        List<String> documented = new ArrayList<>();
        Matcher row = Pattern.compile("(?m)^\\| (`.*?) \\|").matcher(table.split("\n\n")[0]);
        while (row.find()) {
            Matcher name = Pattern.compile("`([a-z.]+)`").matcher(row.group(1));
            while (name.find()) {
                documented.add(name.group(1));
            }
        }
        assertThat(documented).containsExactlyInAnyOrderElementsOf(KafkaClients.MANAGED);
    }

    @Test
    void eachRuleIsDocumentedAndEachDocumentedRuleExists() {
        List<String> documented = new ArrayList<>();
        Matcher matcher =
                Pattern.compile("(?m)^\\| `([a-z-]+)` \\|")
                        .matcher(doc().substring(doc().indexOf("| rule |")));
        while (matcher.find()) {
            documented.add(matcher.group(1));
        }
        List<String> rules = new ArrayList<>();
        for (RecordRule rule : RecordRule.values()) {
            rules.add(rule.id());
        }
        assertThat(documented).containsExactlyElementsOf(rules);
    }

    @Test
    void eachFieldOfTheSchemaIsDescribedThereAndDocumented() throws IOException {
        JsonNode schema =
                new ObjectMapper()
                        .readTree(RecordsSchema.class.getResourceAsStream(RecordsSchema.RESOURCE));
        List<JsonNode> objects = new ArrayList<>(List.of(schema));
        schema.path("$defs").forEach(objects::add);
        TreeSet<String> names = new TreeSet<>();
        for (JsonNode object : objects) {
            assertThat(object.path("additionalProperties").asBoolean(true)).isFalse();
            assertThat(object.path("description").asText()).isNotBlank();
            object.path("properties")
                    .properties()
                    .forEach(
                            field -> {
                                names.add(field.getKey());
                                if (!field.getValue().has("$ref")) {
                                    assertThat(field.getValue().path("title").asText())
                                            .isNotBlank();
                                    assertThat(field.getValue().path("description").asText())
                                            .as(field.getKey())
                                            .isNotBlank();
                                }
                            });
        }
        assertThat(names)
                .hasSizeGreaterThan(30)
                .allSatisfy(name -> assertThat(doc()).contains("`" + name + "`"));
    }

    @Test
    void theSchemaIsAValidSchema() throws IOException {
        JsonNode schema =
                new ObjectMapper()
                        .readTree(RecordsSchema.class.getResourceAsStream(RecordsSchema.RESOURCE));
        assertThat(
                        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                                .getSchema(SchemaLocation.of(SchemaId.V202012))
                                .validate(schema))
                .isEmpty();
    }

    private static String doc() {
        try {
            return Files.readString(Path.of("..", "docs", "records.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
