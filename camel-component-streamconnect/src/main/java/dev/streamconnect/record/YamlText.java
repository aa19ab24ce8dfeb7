package dev.streamconnect.record;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Parses YAML to nodes with their places. Depth, size and aliases are bounded before any node is
 * made. The parser's own messages can quote the file and so a password: none is passed on.
 */
final class YamlText {

    private static final int MAX_DEPTH = 50;
    private static final int MAX_ALIASES = 50;
    private static final String MEND = "check indentation, quotes and brackets";

    private YamlText() {}

    static Node parse(String text, String source) {
        LoadSettings settings =
                LoadSettings.builder()
                        .setLabel(source)
                        .setCodePointLimit(RecordsFile.MAX_BYTES)
                        .setMaxAliasesForCollections(MAX_ALIASES)
                        .setAllowNonScalarKeys(true)
                        .build();
        Place[] reached = {Place.NONE};
        try {
            checkShape(text, source, settings, reached);
            Optional<Node> root = new Compose(settings).composeString(text);
            return root.orElseThrow(() -> RecordsFile.empty(source));
        } catch (MarkedYamlEngineException e) {
            Place place = Place.of(e.getProblemMark().or(e::getContextMark));
            throw fault(source, place, said(e.getProblem()));
        } catch (ReaderException e) {
            throw fault(source, place(text, e.getPosition()), said(e.getMessage()));
        } catch (YamlEngineException e) {
            throw fault(source, reached[0], "not valid YAML here or behind; " + MEND);
        }
    }

    /**
     * @param reached gets the place of the last event
     */
    private static void checkShape(
            String text, String source, LoadSettings settings, Place[] reached) {
        int depth = 0;
        int aliases = 0;
        int documents = 0;
        for (Event event : new Parse(settings).parseString(text)) {
            Place place = Place.of(event.getStartMark());
            reached[0] = place;
            Event.ID id = event.getEventId();
            if (tag(event).isPresent()) {
                throw fault(
                        source,
                        place,
                        "tags are not taken; remove it, or put a value that starts with '!' in quotes");
            }
            if (id == Event.ID.MappingStart || id == Event.ID.SequenceStart) {
                depth++;
                if (depth > MAX_DEPTH) {
                    throw fault(source, place, "is nested deeper than " + MAX_DEPTH + " levels");
                }
            } else if (id == Event.ID.MappingEnd || id == Event.ID.SequenceEnd) {
                depth--;
            } else if (id == Event.ID.Alias) {
                aliases++;
                if (aliases > MAX_ALIASES) {
                    throw fault(
                            source,
                            place,
                            "more than " + MAX_ALIASES + " aliases; write the values out");
                }
            } else if (id == Event.ID.DocumentStart) {
                documents++;
                if (documents > 1) {
                    throw fault(
                            source,
                            place,
                            "a second document starts here; keep all records in one document");
                }
            }
        }
    }

    /** A tag of YAML's own; others are found, all of them, when nodes are made. */
    private static Optional<String> tag(Event event) {
        Optional<String> tag = Optional.empty();
        if (event instanceof ScalarEvent scalar) {
            tag = scalar.getTag();
        } else if (event instanceof CollectionStartEvent collection) {
            tag = collection.getTag();
        }
        return tag.filter(name -> name.equals("!") || name.startsWith("tag:yaml.org,2002:"));
    }

    /** Of the character at that index, counted in code points. */
    private static Place place(String text, int index) {
        int[] before = text.codePoints().limit(index).toArray();
        int line = 1;
        int column = 1;
        for (int character : before) {
            line += character == '\n' ? 1 : 0;
            column = character == '\n' ? 1 : column + 1;
        }
        return new Place(line, column);
    }

    private static String said(String problem) {
        String text = problem == null ? "" : problem;
        if (text.contains("TAB") || text.contains("\\t")) {
            return "a tab stands where YAML wants spaces; indent with spaces";
        }
        if (text.contains("alias") || text.contains("anchor")) {
            return "a value starts with '*' or '&', which YAML takes for an alias; put it in"
                    + " quotes";
        }
        if (text.contains("cannot start any token")) {
            return "a value starts with a character that YAML keeps for itself; put it in quotes";
        }
        if (text.contains("mapping values are not allowed")) {
            return "a ':' stands where no field can start; correct the indentation, or put the"
                    + " value in quotes";
        }
        if (text.contains("could not find expected ':'")) {
            return "a field without ':' here or above; add it, or correct the indentation";
        }
        if (text.contains("special characters are not allowed")) {
            return "a control character; remove it";
        }
        return "not valid YAML here; " + MEND;
    }

    private static RecordsException fault(String source, Place place, String message) {
        return Faults.single(source, place.line(), place.column(), RecordRule.YAML_SYNTAX, message);
    }
}
