package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Turns nodes to JSON, keeps their places, resolves placeholders, and finds what plain JSON cannot
 * say: repeated fields, tags, keys that are no text.
 */
final class YamlToJson {

    private static final int MAX_NODES = 200_000;
    private static final int MAX_DEPTH = 60;
    private static final Set<Tag> PLAIN =
            Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.MAP, Tag.SEQ);
    private static final Set<String> BOOLEANS = Set.of("active", "disableHostNameVerification");
    private static final Pattern PROPERTY =
            Pattern.compile("/(connections|credentials)/[^/]+/properties/[^/]*");

    private final String source;
    private final Places places;
    private final Faults faults;
    private final Placeholders placeholders;
    private final Set<String> unresolved = new HashSet<>();
    private final Set<String> placed = new HashSet<>();
    private int nodes;

    YamlToJson(String source, Places places, Faults faults, UnaryOperator<String> resolver) {
        this.source = source;
        this.places = places;
        this.faults = faults;
        this.placeholders = new Placeholders(resolver);
    }

    YamlDocument convert(Node root) {
        return new YamlDocument(convert(root, "", 0), unresolved, placed);
    }

    private JsonNode convert(Node node, String pointer, int depth) {
        Place place = Place.of(node.getStartMark());
        places.value(pointer, place);
        nodes++;
        if (depth > MAX_DEPTH || nodes > MAX_NODES) {
            throw Faults.single(
                    source,
                    place.line(),
                    place.column(),
                    RecordRule.YAML_SYNTAX,
                    "aliases blow the file up or refer to themselves; write the values out");
        }
        if (!PLAIN.contains(node.getTag())) {
            faults.add(
                    pointer,
                    RecordRule.YAML_SYNTAX,
                    "tags are not taken; put a value that starts with '!' in quotes");
            unresolved.add(pointer);
            return NullNode.instance;
        }
        if (node instanceof MappingNode) {
            return object((MappingNode) node, pointer, depth);
        }
        if (node instanceof SequenceNode) {
            return array(((SequenceNode) node).getValue(), pointer, depth);
        }
        return scalar((ScalarNode) node, pointer);
    }

    private JsonNode object(MappingNode node, String pointer, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (NodeTuple tuple : node.getValue()) {
            Node keyNode = tuple.getKeyNode();
            if (!(keyNode instanceof ScalarNode)) {
                faults.add(
                        pointer,
                        Place.of(keyNode.getStartMark()),
                        RecordRule.YAML_SYNTAX,
                        "a field's name is no text; put a placeholder such as \"{{name}}\" in"
                                + " quotes");
                unresolved.add(pointer);
                continue;
            }
            String key = ((ScalarNode) keyNode).getValue();
            String child = Places.child(pointer, key);
            if (object.has(key)) {
                faults.add(
                        child,
                        Place.of(keyNode.getStartMark()),
                        RecordRule.DUPLICATE_FIELD,
                        (PROPERTY.matcher(child).matches() ? "a property" : Texts.quote(key))
                                + " stands twice, first in line "
                                + places.ofKey(child).line()
                                + "; remove one of them");
                continue;
            }
            places.key(child, Place.of(keyNode.getStartMark()));
            object.set(key, convert(tuple.getValueNode(), child, depth + 1));
        }
        return object;
    }

    private JsonNode array(List<Node> values, String pointer, int depth) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < values.size(); i++) {
            array.add(convert(values.get(i), Places.child(pointer, i), depth + 1));
        }
        return array;
    }

    private JsonNode scalar(ScalarNode node, String pointer) {
        String text = node.getValue();
        if (Placeholders.in(text)) {
            return resolved(text, pointer);
        }
        Tag tag = node.getTag();
        if (tag.equals(Tag.NULL)) {
            return NullNode.instance;
        }
        if (tag.equals(Tag.STR) || PROPERTY.matcher(pointer).matches()) {
            return TextNode.valueOf(text);
        }
        if (tag.equals(Tag.BOOL)) {
            return BooleanNode.valueOf(Boolean.parseBoolean(text));
        }
        return number(text);
    }

    private JsonNode resolved(String text, String pointer) {
        Placeholders.Result result = placeholders.resolve(text);
        if (result.fault().isPresent()) {
            faults.add(pointer, RecordRule.UNRESOLVED_PLACEHOLDER, result.fault().get());
            unresolved.add(pointer);
            return TextNode.valueOf(text);
        }
        if (!Placeholders.hasDefault(text)) {
            placed.add(pointer);
        }
        String value = result.text();
        boolean bool = value.equals("true") || value.equals("false");
        return bool && BOOLEANS.contains(Places.lastField(pointer))
                ? BooleanNode.valueOf(Boolean.parseBoolean(value))
                : TextNode.valueOf(value);
    }

    private static JsonNode number(String text) {
        try {
            return LongNode.valueOf(Long.parseLong(text));
        } catch (NumberFormatException e) {
            // No field takes a number that large or broken: that it is a number is all that counts.
            return DoubleNode.valueOf(0.5);
        }
    }
}
