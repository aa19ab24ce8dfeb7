package dev.streamconnect.servicenow;

import dev.streamconnect.record.Direction;
import dev.streamconnect.record.PlacedYaml;
import dev.streamconnect.record.RecordRule;
import dev.streamconnect.record.RecordsBuilder;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.Texts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What an instance does not say: credentials of Kafka clusters, options of topic replications that
 * its tables have no column for, and the names of tables and columns where they are not those by
 * default. A YAML file of the user. Immutable.
 */
final class Overlay {

    /** No file: everything by default. */
    static final Overlay NONE = new Overlay(null, "");

    /** What a connection may get from the file. */
    static final Set<String> CONNECTION_FIELDS =
            ordered("bootstrapServers", "consumerGroupId", "properties", "sasl", "ssl");

    /** What a topic replication may get from the file. */
    static final Set<String> TOPIC_FIELDS =
            ordered(
                    "applicationId",
                    "deduplicate",
                    "failoverOrder",
                    "id",
                    "namespace",
                    "onGap",
                    "onRecreated",
                    "route",
                    "startFrom");

    private static final Set<String> DEFAULT_FIELDS =
            ordered("applicationId", "namespace", "onGap", "onRecreated", "route", "startFrom");
    private static final Set<String> TOP =
            ordered(
                    "tables",
                    "columns",
                    "directions",
                    "connections",
                    "defaults",
                    "topicReplications");

    /** Fields whose column may be turned off. */
    private static final Set<String> OPTIONAL =
            Set.of("application", "consumerGroupId", "properties");

    private static final String OFF = "none";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,80}");

    private final PlacedYaml file;
    private final String text;
    private final Map<InstanceTable, TableNames> names = new LinkedHashMap<>();
    private final Map<String, Direction> directions = new LinkedHashMap<>();

    private Overlay(PlacedYaml file, String text) {
        this.file = file;
        this.text = text;
        for (InstanceTable table : InstanceTable.values()) {
            names.put(table, names(table));
        }
        for (Direction direction : Direction.values()) {
            directions.put(letters(direction.field()), direction);
            if (file != null) {
                file.texts("directions", direction.field())
                        .forEach(value -> directions.put(letters(value), direction));
            }
        }
    }

    private static Set<String> ordered(String... names) {
        return new LinkedHashSet<>(Arrays.asList(names));
    }

    /**
     * Reads a file.
     *
     * @param resolver resolves placeholders of values
     * @throws dev.streamconnect.record.RecordsException with file and line
     */
    static Overlay read(Path file, UnaryOperator<String> resolver) {
        return parse(RecordsReader.text(file), file.toString(), resolver);
    }

    static Overlay parse(String text, String source, UnaryOperator<String> resolver) {
        PlacedYaml yaml = PlacedYaml.parse(text, source, resolver);
        known(yaml, TOP);
        known(yaml, keys(), "tables");
        known(yaml, keys(), "columns");
        for (InstanceTable table : InstanceTable.values()) {
            known(yaml, table.columns().keySet(), "columns", table.key());
        }
        known(
                yaml,
                ordered(Direction.TO_SERVICENOW.field(), Direction.FROM_SERVICENOW.field()),
                "directions");
        for (String section : List.of("connections", "topicReplications")) {
            objects(yaml, section);
        }
        return new Overlay(yaml, text);
    }

    private static Set<String> keys() {
        Set<String> keys = new LinkedHashSet<>();
        for (InstanceTable table : InstanceTable.values()) {
            keys.add(table.key());
        }
        return keys;
    }

    private static void known(PlacedYaml yaml, Set<String> allowed, String... path) {
        for (String name : yaml.names(path)) {
            if (!allowed.contains(name)) {
                throw yaml.fault(
                        RecordRule.UNKNOWN_FIELD,
                        "there is no field "
                                + Texts.quote(name)
                                + " here; known here: "
                                + String.join(", ", allowed),
                        with(path, name));
            }
        }
    }

    private static void objects(PlacedYaml yaml, String section) {
        for (String id : yaml.names(section)) {
            if (!yaml.isObject(section, id)) {
                throw yaml.fault(
                        RecordRule.WRONG_TYPE,
                        "below the sys_id of a record stand fields; indent them",
                        section,
                        id);
            }
        }
    }

    private static String[] with(String[] path, String name) {
        List<String> longer = new ArrayList<>(Arrays.asList(path));
        longer.add(name);
        return longer.toArray(String[]::new);
    }

    private TableNames names(InstanceTable table) {
        Map<String, String> columns = new LinkedHashMap<>();
        table.columns()
                .forEach(
                        (field, column) -> {
                            String name = name(column, "columns", table.key(), field);
                            if (!name.equals(OFF)) {
                                columns.put(field, name);
                            } else if (isRead(table) && !OPTIONAL.contains(field)) {
                                throw file.fault(
                                        RecordRule.WRONG_VALUE,
                                        Texts.quote(field) + " is needed; name its column",
                                        "columns",
                                        table.key(),
                                        field);
                            }
                        });
        return new TableNames(name(table.table(), "tables", table.key()), columns);
    }

    private static boolean isRead(InstanceTable table) {
        return table.ordinal() <= InstanceTable.CONNECTIONS.ordinal();
    }

    private String name(String otherwise, String... path) {
        if (file == null) {
            return otherwise;
        }
        String name = file.text(path).orElse(otherwise);
        if (!NAME.matcher(name).matches()) {
            throw file.fault(
                    RecordRule.WRONG_VALUE,
                    "is no name of a table or column; use letters, digits and '_'",
                    path);
        }
        return name;
    }

    /** What a table and its columns are called. */
    TableNames of(InstanceTable table) {
        return names.get(table);
    }

    /** The text of the file; empty without one. Placeholders are not resolved. */
    String text() {
        return text;
    }

    /** Which way a value or label of the direction's column means; empty if unknown. */
    Optional<Direction> direction(String value) {
        return Optional.ofNullable(directions.get(letters(value)));
    }

    private static String letters(String value) {
        return value.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }

    /** The id of the topic replication of that row. */
    String idOf(String sysId) {
        return file == null ? sysId : file.text("topicReplications", sysId, "id").orElse(sysId);
    }

    void overConnection(RecordsBuilder.Entry entry, String sysId) {
        if (file != null) {
            entry.overlay(file, CONNECTION_FIELDS, "connections", sysId);
        }
    }

    void overTopicReplication(RecordsBuilder.Entry entry, String sysId) {
        if (file != null) {
            entry.overlay(file, DEFAULT_FIELDS, "defaults");
            entry.overlay(file, TOPIC_FIELDS, "topicReplications", sysId);
        }
    }

    /** Which of the records that the file speaks of are not there. */
    Set<String> unused(Set<String> connections, Set<String> topicReplications) {
        Set<String> unused = new TreeSet<>();
        if (file != null) {
            file.names("connections").stream()
                    .filter(id -> !connections.contains(id))
                    .forEach(unused::add);
            file.names("topicReplications").stream()
                    .filter(id -> !topicReplications.contains(id))
                    .forEach(unused::add);
        }
        return unused;
    }
}
