package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.NearNames;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What to write instead of an id that nobody has. */
final class IdHint {

    private static final int MOST_NEAR = 3;
    private static final int MOST_KNOWN = 10;

    /** Shorter ones are part of everything. */
    private static final int LEAST_PART = 3;

    private final ReplicationRecords records;

    /**
     * @param records whose topics may be meant
     */
    IdHint(ReplicationRecords records) {
        this.records = records;
    }

    /** The near ones of the known ids, or ten of them; a clause without an end. Never null. */
    String of(String id, Collection<String> known) {
        Set<String> sorted = new TreeSet<>(known);
        Set<String> near = new LinkedHashSet<>();
        for (TopicReplication each : records.topicReplications()) {
            if (hasTopic(each, id)) {
                near.add(each.id());
            }
        }
        near.retainAll(sorted);
        near.addAll(NearNames.of(id, sorted));
        sorted.stream().filter(each -> isPart(each, id) || isPart(id, each)).forEach(near::add);
        if (!near.isEmpty()) {
            return "did you mean "
                    + near.stream().limit(MOST_NEAR).collect(Collectors.joining(" or "))
                    + "?";
        }
        if (sorted.isEmpty()) {
            return "none is known";
        }
        List<String> shown = sorted.stream().limit(MOST_KNOWN).toList();
        return "known: " + String.join(", ", shown) + (sorted.size() > shown.size() ? ", ..." : "");
    }

    private static boolean hasTopic(TopicReplication replication, String name) {
        return name.equals(replication.topicName())
                || name.equals(replication.serviceNowTopic())
                || name.endsWith("." + replication.serviceNowTopic());
    }

    private static boolean isPart(String whole, String part) {
        return part.length() >= LEAST_PART
                && whole.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
