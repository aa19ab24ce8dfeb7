package dev.streamconnect.camel.replication;

import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.camel.support.PatternHelper;

/**
 * What the id or pattern of an operation means. A pattern may match nothing; an id that nobody
 * knows is refused.
 */
final class OperationTarget {

    private static final String ALL = "*";

    private final ReplicationComponent component;
    private final String id;

    OperationTarget(ReplicationEndpoint endpoint) {
        this(endpoint.component(), endpoint.getId());
    }

    OperationTarget(ReplicationComponent component, String id) {
        this.component = component;
        this.id = id;
    }

    /** False for the id of a topic replication or a consumer, and for the name of a topic. */
    boolean isPattern() {
        return !id.matches("[A-Za-z0-9._@-]+");
    }

    /**
     * Whose rows are meant; null for all.
     *
     * @throws IllegalArgumentException if no active topic replication has the id, and no row; one
     *     line
     */
    List<String> rowsOf(UndeliveredStore store) {
        if (id.equals(ALL)) {
            return null;
        }
        if (isPattern()) {
            return withRows(store).stream().filter(this::matches).toList();
        }
        List<String> only = List.of(id);
        if (store.list(RowSelector.ofLinks(only), 0, 1).isEmpty() && replication().isEmpty()) {
            throw unknown(withRows(store));
        }
        return only;
    }

    private static Set<String> withRows(UndeliveredStore store) {
        Set<String> links = new TreeSet<>();
        store.totals().forEach(totals -> links.add(totals.origin().link()));
        return links;
    }

    /**
     * The open links that are meant: with a pattern, those of topic replications.
     *
     * @throws IllegalArgumentException if nothing has the id; one line
     * @throws IllegalStateException if it is not open on this node; one line
     */
    List<Link> links(StreamConnectEngine engine) {
        if (isPattern()) {
            return records().topicReplications().stream()
                    .map(TopicReplication::id)
                    .filter(this::matches)
                    .flatMap(each -> engine.link(each).stream())
                    .toList();
        }
        Optional<Link> open = engine.link(id);
        if (open.isEmpty()) {
            List<String> others = engine.status().stream().map(LinkStatus::id).toList();
            if (replication().isEmpty() && !others.contains(id)) {
                throw unknown(others);
            }
            throw new IllegalStateException(
                    "'" + id + "' is not open on this node; start its route");
        }
        return List.of(open.get());
    }

    /**
     * The active topic replications that are meant; a lone star may mean none.
     *
     * @throws IllegalArgumentException if no active one matches; one line
     */
    List<TopicReplication> activeReplications() {
        if (!isPattern()) {
            return List.of(component.activeReplication(id));
        }
        List<TopicReplication> found =
                records().topicReplications().stream()
                        .filter(records()::active)
                        .filter(each -> matches(each.id()))
                        .toList();
        if (found.isEmpty() && !id.equals(ALL)) {
            throw new IllegalArgumentException(
                    "'" + id + "' matches no active topic replication; correct the pattern");
        }
        return found;
    }

    private ReplicationRecords records() {
        return !component.hasRecords() ? ReplicationRecords.NONE : component.records();
    }

    /** The active topic replication of the id; one that is not active is refused. */
    private Optional<TopicReplication> replication() {
        return records().topicReplication(id).map(found -> component.activeReplication(id));
    }

    /**
     * Refuses what is neither an id nor a pattern, also where there is nothing yet to match.
     *
     * @throws IllegalArgumentException one line
     */
    static void check(String id) {
        try {
            if (!id.equals(ALL)) {
                Pattern.compile(id);
            }
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "id: '"
                            + id
                            + "' is not a pattern: "
                            + e.getDescription()
                            + "; use an id, * for all, or a regular expression",
                    e);
        }
    }

    private boolean matches(String name) {
        return PatternHelper.matchPattern(name, id);
    }

    private IllegalArgumentException unknown(Collection<String> others) {
        Set<String> known = new TreeSet<>(others);
        records().topicReplications().forEach(each -> known.add(each.id()));
        return new IllegalArgumentException(
                "there is no '"
                        + id
                        + "': no topic replication has that id, and no undelivered message; "
                        + new IdHint(records()).of(id, known));
    }
}
