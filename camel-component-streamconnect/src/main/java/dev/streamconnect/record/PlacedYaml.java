package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A YAML file of settings beside the records, whose values know their lines. What it may hold is up
 * to its reader; limits of size, depth and aliases are those of a records file. Immutable.
 */
public final class PlacedYaml {

    private final String source;
    private final JsonNode root;
    private final Places places;

    private PlacedYaml(String source, JsonNode root, Places places) {
        this.source = source;
        this.root = root;
        this.places = places;
    }

    /**
     * Reads a text.
     *
     * @param source what faults call it
     * @param resolver as in {@link RecordsReader}
     * @throws RecordsException if it is no YAML object, or a placeholder can't be resolved
     */
    public static PlacedYaml parse(String text, String source, UnaryOperator<String> resolver) {
        Places places = new Places();
        Faults faults = new Faults(source, places);
        JsonNode root =
                new YamlToJson(source, places, faults, resolver)
                        .convert(YamlText.parse(text, source))
                        .root();
        faults.throwIfAny();
        if (!root.isObject()) {
            throw fault(source, places.of(""), RecordRule.WRONG_TYPE, "the file must be an object");
        }
        return new PlacedYaml(source, root, places);
    }

    /** Names of the fields at a path, in their order; empty if there is nothing. */
    public List<String> names(String... path) {
        List<String> names = new ArrayList<>();
        at(path).fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** True if there is an object at the path. */
    public boolean isObject(String... path) {
        return at(path).isObject();
    }

    /** The text at a path; empty if there is none, or something else. */
    public Optional<String> text(String... path) {
        JsonNode value = at(path);
        return value.isTextual() ? Optional.of(value.asText()) : Optional.empty();
    }

    /** The texts of the list at a path; empty if there is none. */
    public List<String> texts(String... path) {
        List<String> texts = new ArrayList<>();
        JsonNode list = at(path);
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            texts.add(list.get(i).asText());
        }
        return texts;
    }

    /** A fault of what stands at a path, to be thrown. */
    public RecordsException fault(RecordRule rule, String message, String... path) {
        return fault(source, places.ofKey(pointer(path)), rule, message);
    }

    private static RecordsException fault(
            String source, Place place, RecordRule rule, String message) {
        return Faults.single(source, place.line(), place.column(), rule, message);
    }

    JsonNode at(String... path) {
        return root.at(pointer(path));
    }

    /** Place of the value at a pointer below a path. */
    Place place(String pointer) {
        return places.of(pointer).in(source);
    }

    Place keyPlace(String pointer) {
        return places.ofKey(pointer).in(source);
    }

    static String pointer(String... path) {
        String pointer = "";
        for (String step : path) {
            pointer = Places.child(pointer, step);
        }
        return pointer;
    }
}
