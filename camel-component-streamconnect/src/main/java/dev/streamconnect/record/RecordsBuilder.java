package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.cluster.HermesInstance;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Puts records together that do not come from a file, such as rows of a table, and checks them by
 * the same rules. Each value has a place in words, which its faults name. Not for several threads.
 */
public final class RecordsBuilder {

    private final ObjectNode root = JsonNodeFactory.instance.objectNode();
    private final Places places = new Places();
    private final Faults faults;

    /**
     * @param source what faults call the records where they have no other place
     */
    public RecordsBuilder(String source) {
        this.faults = new Faults(source, places);
        root.put("version", 1);
        root.putArray("connections");
        root.putArray("messageReplications");
    }

    /** A record whose fields are put in. */
    public final class Entry {

        private final String pointer;
        private final ObjectNode fields;

        private Entry(ArrayNode list, String listPointer, String place) {
            this.pointer = Places.child(listPointer, list.size());
            this.fields = list.addObject();
            places.value(pointer, new Place(place, 0, 0));
        }

        /** A topic replication of this message replication. */
        public Entry topicReplication(String place) {
            String name = "topicReplications";
            ArrayNode list =
                    fields.has(name) ? (ArrayNode) fields.get(name) : fields.putArray(name);
            return new Entry(list, Places.child(pointer, name), place);
        }

        /** Sets a field to a text. */
        public void text(String field, String value, String place) {
            fields.put(field, value);
            put(field, place);
        }

        /** Sets a field to true or false. */
        public void flag(String field, boolean value, String place) {
            fields.put(field, value);
            put(field, place);
        }

        /** Sets a field to an object of texts. */
        public void texts(String field, Map<String, String> values, String place) {
            ObjectNode object = fields.putObject(field);
            values.forEach(object::put);
            put(field, place);
        }

        private void put(String field, String place) {
            places.value(Places.child(pointer, field), new Place(place, 0, 0));
        }

        /**
         * Sets all fields that stand at a path of a file, which win over those that are there.
         *
         * @param allowed names that may stand there; another one is a fault
         */
        public void overlay(PlacedYaml file, Set<String> allowed, String... path) {
            String from = PlacedYaml.pointer(path);
            JsonNode object = file.at(path);
            if (!object.isObject()) {
                return;
            }
            for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
                String name = names.next();
                String target = Places.child(pointer, name);
                String origin = Places.child(from, name);
                if (!allowed.contains(name)) {
                    faults.add(
                            target,
                            file.keyPlace(origin),
                            RecordRule.UNKNOWN_FIELD,
                            "there is no field "
                                    + Texts.quote(name)
                                    + " here; known here: "
                                    + String.join(", ", allowed));
                    continue;
                }
                fields.set(name, object.get(name));
                copyPlaces(file, origin, target, object.get(name));
            }
        }

        private void copyPlaces(PlacedYaml file, String origin, String target, JsonNode value) {
            places.value(target, file.place(origin));
            places.key(target, file.keyPlace(origin));
            value.properties()
                    .forEach(
                            child ->
                                    copyPlaces(
                                            file,
                                            Places.child(origin, child.getKey()),
                                            Places.child(target, child.getKey()),
                                            child.getValue()));
        }
    }

    /** A connection; {@code place} is where its row is, for people. */
    public Entry connection(String place) {
        return new Entry((ArrayNode) root.get("connections"), "/connections", place);
    }

    /** A message replication; {@code place} is where its row is, for people. */
    public Entry messageReplication(String place) {
        return new Entry(
                (ArrayNode) root.get("messageReplications"), "/messageReplications", place);
    }

    /** Adds a fault of what has no place in the records. */
    public void fault(String place, RecordRule rule, String message) {
        faults.add(place, new Place(place, 0, 0), rule, message);
    }

    /**
     * The records.
     *
     * @param instance as in {@link RecordsReader}
     * @throws RecordsException with all faults
     */
    public ReplicationRecords build(Optional<HermesInstance> instance) {
        return RecordsReader.records(
                new YamlDocument(root, Set.of(), Set.of()), new RecordsValidator(instance), faults);
    }
}
