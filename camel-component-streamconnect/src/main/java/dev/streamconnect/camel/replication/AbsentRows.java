package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Undelivered messages of topic replications that are not there any more, or not active: nobody
 * sends them again and nobody deletes them, so they must not be forgotten. Counted now and then, so
 * that a status costs no database. Thread-safe.
 */
final class AbsentRows {

    private static final Logger LOG = LoggerFactory.getLogger(AbsentRows.class);

    private final ReplicationComponent component;
    private final Clock clock;
    private volatile Map<String, Rows> found = Map.of();

    /**
     * Rows of one id.
     *
     * @param since since when it is known that nobody takes them
     * @param passing id of one that connects the same topics now; null for none
     */
    private record Rows(long waiting, long parked, Instant since, String passing) {

        String text() {
            return (waiting + parked)
                    + " undelivered messages of it are kept ("
                    + waiting
                    + " waiting, "
                    + parked
                    + " parked)"
                    + (passing == null
                            ? ""
                            : "; "
                                    + passing
                                    + " connects the same topics: later messages of their keys go"
                                    + " on and arrive before them");
        }

        Rows and(Rows more) {
            return new Rows(
                    waiting + more.waiting,
                    parked + more.parked,
                    since,
                    passing == null ? more.passing : passing);
        }
    }

    AbsentRows(ReplicationComponent component, Clock clock) {
        this.component = component;
        this.clock = clock;
    }

    /** Counts them; blocks for as long as the store takes, and says where there are new ones. */
    synchronized void count() {
        Optional<UndeliveredStore> store =
                ContextEngine.of(component.getCamelContext()).engine().undelivered();
        if (store.isEmpty() || !component.hasRecords()) {
            return;
        }
        try {
            count(store.get().totals());
        } catch (StoreUnavailableException e) {
            LOG.debug("undelivered messages can't be counted now", e);
        }
    }

    private void count(List<OriginTotals> totals) {
        ReplicationRecords records = component.records();
        Set<String> active =
                records.topicReplications().stream()
                        .filter(records::active)
                        .map(TopicReplication::id)
                        .collect(Collectors.toSet());
        Map<String, Rows> now = new TreeMap<>();
        for (OriginTotals each : totals) {
            String id = each.origin().link();
            if (!each.origin().isDirect()
                    && !active.contains(id)
                    && each.waiting() + each.parked() > 0) {
                Rows before = found.get(id);
                Rows own =
                        new Rows(
                                each.waiting(),
                                each.parked(),
                                before == null ? clock.instant() : before.since(),
                                passing(active, each.topics()));
                now.merge(id, own, Rows::and);
            }
        }
        now.forEach(
                (id, rows) -> {
                    if (!found.containsKey(id)) {
                        new LinkLog(LOG, id)
                                .warn(
                                        "topic replication {} {}: {}",
                                        id,
                                        why(records, id),
                                        rows.text());
                    }
                });
        found = now;
        Map<String, Long> counts = new TreeMap<>();
        now.forEach((id, rows) -> counts.put(id, rows.waiting() + rows.parked()));
        ContextEngine.of(component.getCamelContext()).engine().metrics().absent(counts);
    }

    /** Null for none. */
    private String passing(Set<String> active, TopicPair topics) {
        StreamConnectEngine engine = ContextEngine.of(component.getCamelContext()).engine();
        return active.stream()
                .sorted()
                .filter(
                        id ->
                                engine.link(id)
                                        .filter(link -> connects(link.status(), topics))
                                        .isPresent())
                .findFirst()
                .orElse(null);
    }

    /** By names of topics, which begin what is shown. */
    private static boolean connects(LinkStatus status, TopicPair topics) {
        return status.source().startsWith(topics.source() + " @ ")
                && status.destination().startsWith(topics.destination() + " @ ");
    }

    /** States of those that are not among the known ones. */
    List<LinkStatus> besides(Collection<LinkStatus> known) {
        Map<String, Rows> left = new TreeMap<>(found);
        known.forEach(status -> left.remove(status.id()));
        List<LinkStatus> states = new ArrayList<>();
        left.forEach(
                (id, rows) ->
                        states.add(
                                LinkStatus.stopped(
                                        id,
                                        why(component.records(), id) + ": " + rows.text(),
                                        rows.since())));
        return states;
    }

    private static String why(ReplicationRecords records, String id) {
        return records.topicReplication(id).isPresent() ? "is not active" : "is not in the records";
    }
}
