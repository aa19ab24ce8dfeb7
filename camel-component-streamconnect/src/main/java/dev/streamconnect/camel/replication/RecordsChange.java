package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.record.TopicReplication;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * What another version of the records means for the topic replications of this node. Those that are
 * in none of the sets go on untouched: they read and write the same topics of the same clusters
 * with the same options, whatever else has changed in the records.
 *
 * @param added ids that become active
 * @param changed ids that stay active and have other topics, connections or options
 * @param reshaped ids that stay active and get their route from elsewhere
 * @param gone ids that are not active any more
 */
record RecordsChange(
        Set<String> added, Set<String> changed, Set<String> reshaped, Set<String> gone) {

    /**
     * Compares two versions.
     *
     * @throws IllegalArgumentException if what can be opened by the old version can't be by the new
     *     one, as with a keystore and a wrong password; one line
     */
    static RecordsChange between(
            ReplicationComponent component, TopicReplicationLinks old, TopicReplicationLinks next) {
        RecordsChange change =
                new RecordsChange(
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>());
        for (TopicReplication before : old.records().topicReplications()) {
            if (!old.records().active(before)) {
                continue;
            }
            TopicReplication after = active(next, before.id());
            if (after == null) {
                change.gone.add(before.id());
            } else if (!after.route().equals(before.route())) {
                change.reshaped.add(before.id());
            } else if (differ(component, old, before, next, after)) {
                change.changed.add(before.id());
            }
        }
        for (TopicReplication after : next.records().topicReplications()) {
            if (next.records().active(after) && active(old, after.id()) == null) {
                change.added.add(after.id());
            }
        }
        return change;
    }

    private static TopicReplication active(TopicReplicationLinks links, String id) {
        return links.records().topicReplication(id).filter(links.records()::active).orElse(null);
    }

    private static boolean differ(
            ReplicationComponent component,
            TopicReplicationLinks old,
            TopicReplication before,
            TopicReplicationLinks next,
            TopicReplication after) {
        LinkDefinition running;
        try {
            running = link(component, old, before);
        } catch (IllegalArgumentException e) {
            // It could not be opened so far: nothing to keep.
            return true;
        }
        return !Objects.equals(running, link(component, next, after));
    }

    private static LinkDefinition link(
            ReplicationComponent component,
            TopicReplicationLinks links,
            TopicReplication replication) {
        return links.link(replication, component.linkOptions(links, replication, true));
    }

    boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && reshaped.isEmpty() && gone.isEmpty();
    }

    /** {@code 1 added: a; 2 changed: b, c}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Set<String> both = new LinkedHashSet<>(changed);
        both.addAll(reshaped);
        append(text, "added", added);
        append(text, "changed", both);
        append(text, "removed or deactivated", gone);
        return text.isEmpty() ? "no route is touched" : text.toString();
    }

    private static void append(StringBuilder text, String what, Set<String> ids) {
        if (!ids.isEmpty()) {
            text.append(text.isEmpty() ? "" : "; ")
                    .append(ids.size())
                    .append(' ')
                    .append(what)
                    .append(": ")
                    .append(String.join(", ", ids));
        }
    }
}
