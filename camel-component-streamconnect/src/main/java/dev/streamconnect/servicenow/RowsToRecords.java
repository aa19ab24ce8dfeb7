package dev.streamconnect.servicenow;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.Direction;
import dev.streamconnect.record.RecordRule;
import dev.streamconnect.record.RecordsBuilder;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Makes records of the rows of an instance and of an overlay. The {@code sys_id} of a row is the id
 * of its record, so that a renamed one keeps its positions; faults name table, row and column.
 */
final class RowsToRecords {

    /** Client properties that hold a secret, or name code that a client loads. */
    private static final Pattern NOT_FROM_TABLES =
            Pattern.compile(
                    "(?i).*(password|secret|jaas|credential|token"
                            + "|\\.class|classes|reporters|providers|callback|ssl\\.keystore|ssl\\.truststore|ssl\\.key\\.).*");

    private final InstanceRows rows;
    private final Overlay overlay;
    private final String host;
    private final RecordsBuilder records;
    private final TableNames replications;
    private final TableNames topics;
    private final TableNames connections;
    private final Map<String, RecordsBuilder.Entry> parents = new HashMap<>();

    RowsToRecords(InstanceRows rows, Overlay overlay, InstanceUrl instance) {
        this.rows = rows;
        this.overlay = overlay;
        this.host = instance.host();
        this.records = new RecordsBuilder(host);
        this.replications = overlay.of(InstanceTable.MESSAGE_REPLICATIONS);
        this.topics = overlay.of(InstanceTable.TOPIC_REPLICATIONS);
        this.connections = overlay.of(InstanceTable.CONNECTIONS);
    }

    /**
     * The records.
     *
     * @throws dev.streamconnect.record.RecordsException with all faults
     */
    ReplicationRecords records(Optional<HermesInstance> instance) {
        // Rather a lost right, or an instance made anew, than the wish to stop everything.
        if (rows.messageReplications().isEmpty()) {
            none(replications, "message replication");
        } else if (rows.topicReplications().isEmpty()) {
            none(topics, "topic replication");
        }
        rows.connections().forEach(this::connection);
        rows.messageReplications().forEach(this::messageReplication);
        rows.topicReplications().forEach(this::topicReplication);
        return records.build(instance);
    }

    private void none(TableNames table, String what) {
        records.fault(
                host + "/" + table.table(),
                RecordRule.INSTANCE_ANSWER,
                "there is no "
                        + what
                        + " that the user can read; to stop all of them set them inactive");
    }

    private void connection(String sysId, Map<String, String> row) {
        RecordsBuilder.Entry entry = records.connection(connections.place(host, sysId));
        entry.text("id", sysId, connections.place(host, sysId, "name"));
        text(entry, "bootstrapServers", connections, sysId, row);
        if (!row.getOrDefault("consumerGroupId", "").isEmpty()) {
            text(entry, "consumerGroupId", connections, sysId, row);
        }
        Map<String, String> properties = properties(sysId, row.getOrDefault("properties", ""));
        if (!properties.isEmpty()) {
            entry.texts("properties", properties, connections.place(host, sysId, "properties"));
        }
        overlay.overConnection(entry, sysId);
    }

    /** {@code a=b;c=d}, or one a line. */
    private Map<String, String> properties(String sysId, String text) {
        Map<String, String> properties = new LinkedHashMap<>();
        String place = connections.place(host, sysId, "properties");
        for (String each : text.split("[;\\r\\n]+")) {
            if (each.isBlank()) {
                continue;
            }
            int equals = each.indexOf('=');
            String name = equals < 0 ? "" : each.substring(0, equals).strip();
            if (name.isEmpty()) {
                records.fault(
                        place, RecordRule.WRONG_VALUE, "holds an entry that is not name=value");
            } else if (NOT_FROM_TABLES.matcher(name).matches()) {
                records.fault(
                        place,
                        RecordRule.WRONG_VALUE,
                        Texts.quote(name)
                                + " holds a secret or names code; it is taken from the overlay file only");
            } else if (properties.putIfAbsent(name, each.substring(equals + 1).strip()) != null) {
                records.fault(
                        place, RecordRule.DUPLICATE_FIELD, Texts.quote(name) + " stands twice");
            }
        }
        return properties;
    }

    private void messageReplication(String sysId, Map<String, String> row) {
        RecordsBuilder.Entry entry = records.messageReplication(replications.place(host, sysId));
        parents.put(sysId, entry);
        text(entry, "name", replications, sysId, row);
        boolean active = active(entry, replications, sysId, row);
        if (!row.getOrDefault("application", "").isBlank()) {
            text(entry, "application", replications, sysId, row);
        }
        entry.text(
                "connection",
                connectionOf(sysId, row.getOrDefault("connection", ""), active),
                replications.place(host, sysId, "connection"));
    }

    /** The connection that a reference means, which is to a connection or to an alias of some. */
    private String connectionOf(String sysId, String reference, boolean active) {
        String place = replications.place(host, sysId, "connection");
        List<String> candidates = new ArrayList<>();
        List<String> usable = new ArrayList<>();
        rows.connections()
                .forEach(
                        (id, row) -> {
                            if (id.equals(reference)
                                    || reference.equals(row.get("alias")) && !reference.isEmpty()) {
                                candidates.add(id);
                                if (isTrue(row.get("active"))) {
                                    usable.add(id);
                                }
                            }
                        });
        List<String> found = usable.isEmpty() && !active ? candidates : usable;
        if (found.size() == 1) {
            return found.get(0);
        }
        if (found.size() > 1 && active) {
            records.fault(
                    place,
                    RecordRule.UNKNOWN_CONNECTION,
                    "its alias has "
                            + found.size()
                            + " active connections, "
                            + Texts.shown(String.join(", ", found))
                            + "; leave one active");
        } else if (!candidates.isEmpty() && found.isEmpty()) {
            records.fault(
                    connections.place(host, candidates.get(0), "active"),
                    RecordRule.UNKNOWN_CONNECTION,
                    "an active message replication uses this connection, which is not active");
        }
        // One that is named is not called unknown as well.
        return candidates.isEmpty() ? reference : candidates.get(0);
    }

    private void topicReplication(String sysId, Map<String, String> row) {
        String parent = row.getOrDefault("messageReplication", "");
        RecordsBuilder.Entry replication = parents.get(parent);
        if (replication == null) {
            records.fault(
                    topics.place(host, sysId, "messageReplication"),
                    RecordRule.UNKNOWN_MESSAGE_REPLICATION,
                    parent.isEmpty()
                            ? "names no message replication"
                            : "there is no message replication "
                                    + Texts.quote(parent)
                                    + ", or the user can't read it");
            return;
        }
        RecordsBuilder.Entry entry = replication.topicReplication(topics.place(host, sysId));
        entry.text("id", sysId, topics.place(host, sysId));
        String value = row.getOrDefault("direction", "");
        Optional<Direction> direction =
                overlay.direction(value)
                        .or(
                                () ->
                                        overlay.direction(
                                                row.getOrDefault(
                                                        InstanceRows.DIRECTION_LABEL, "")));
        if (direction.isPresent()) {
            entry.text(
                    "direction", direction.get().field(), topics.place(host, sysId, "direction"));
        } else {
            entry.text("direction", value, topics.place(host, sysId, "direction"));
        }
        text(entry, "topicName", topics, sysId, row);
        text(entry, "serviceNowTopic", topics, sysId, row);
        active(entry, topics, sysId, row);
        overlay.overTopicReplication(entry, sysId);
    }

    private void text(
            RecordsBuilder.Entry entry,
            String field,
            TableNames table,
            String sysId,
            Map<String, String> row) {
        entry.text(field, row.getOrDefault(field, ""), table.place(host, sysId, field));
    }

    private boolean active(
            RecordsBuilder.Entry entry, TableNames table, String sysId, Map<String, String> row) {
        String text = row.getOrDefault("active", "");
        String place = table.place(host, sysId, "active");
        if (!isTrue(text) && !text.equals("false") && !text.equals("0")) {
            records.fault(place, RecordRule.WRONG_TYPE, "'active' must be true or false");
        }
        entry.flag("active", isTrue(text), place);
        return isTrue(text);
    }

    private static boolean isTrue(String text) {
        return "true".equals(text) || "1".equals(text);
    }
}
