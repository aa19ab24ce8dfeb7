package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.cluster.ClientProperties;
import java.util.ArrayList;
import java.util.List;

/** Finds client properties in a file that no Kafka client knows. */
final class UnknownProperties {

    private UnknownProperties() {}

    /** One for each, with its place, in the order of the file. */
    static List<RecordFault> in(YamlDocument document, String source, Places places) {
        Faults found = new Faults(source, places);
        for (String list : List.of("credentials", "connections")) {
            JsonNode entries = document.root().path(list);
            for (int index = 0; entries.isArray() && index < entries.size(); index++) {
                look(
                        entries.get(index).path("properties"),
                        Places.child(Places.child("/" + list, index), "properties"),
                        found);
            }
        }
        return found.list();
    }

    private static void look(JsonNode properties, String pointer, Faults found) {
        List<String> names = new ArrayList<>();
        properties.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            ClientProperties.warning(names, name)
                    .ifPresent(
                            warning ->
                                    found.addAtKey(
                                            Places.child(pointer, name),
                                            RecordRule.UNKNOWN_PROPERTY,
                                            Texts.quote(name) + " " + warning));
        }
    }
}
