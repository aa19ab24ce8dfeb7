package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Sees messages that an open transaction holds back: a consumer that reads what is committed only
 * has no lag then and hears of nothing. Partitions that are read to their last stable offset are
 * compared with the end of their log.
 *
 * <p>The poll thread tells positions, one housekeeping thread at a time asks the cluster; both may
 * come at once.
 */
final class OpenTransactions {

    /** One request a broker, whatever the number of partitions. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final TopicProbe probe;
    private final Map<TopicPartition, Read> read = new HashMap<>();
    private Instant nextLook = Instant.EPOCH;

    /**
     * A partition that is read as far as is stable.
     *
     * @param blockedSince when more than that was seen first; null while there is no more
     */
    private record Read(LinkMonitor monitor, long position, Instant blockedSince) {}

    OpenTransactions(ConnectionSettings settings, Clock clock, TopicProbe probe) {
        this.settings = settings;
        this.clock = clock;
        this.probe = probe;
    }

    /** All that is stable was read and settled; the next message has this offset. */
    synchronized void readTo(TopicPartition partition, long position, LinkMonitor monitor) {
        Read before = read.get(partition);
        if (before == null || before.position() != position) {
            forget(partition);
            read.put(partition, new Read(monitor, position, null));
        }
    }

    /** It has something to read, or is another node's. */
    synchronized void forget(TopicPartition partition) {
        Read before = read.remove(partition);
        if (before != null && before.blockedSince() != null) {
            before.monitor().clear(scope(partition));
        }
    }

    /** Asks the cluster if it is time; blocks for seconds at most. */
    void look() {
        Instant now = clock.instant();
        Map<TopicPartition, Read> asked;
        synchronized (this) {
            if (now.isBefore(nextLook) || read.isEmpty()) {
                return;
            }
            nextLook = now.plus(LOOK);
            asked = new HashMap<>(read);
        }
        Map<TopicPartition, Long> ends =
                probe.ends(asked.keySet(), IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Read> behind = new HashMap<>(asked);
        behind.entrySet()
                .removeIf(
                        entry ->
                                ends.getOrDefault(entry.getKey(), -1L)
                                        <= entry.getValue().position());
        Map<TopicPartition, Long> stable =
                behind.isEmpty()
                        ? Map.of()
                        : probe.ends(behind.keySet(), IsolationLevel.READ_COMMITTED);
        // Else it is new, and the consumer reads it in a moment.
        behind.entrySet()
                .removeIf(
                        entry ->
                                stable.getOrDefault(entry.getKey(), Long.MAX_VALUE)
                                        > entry.getValue().position());
        tell(asked, behind, ends);
    }

    private synchronized void tell(
            Map<TopicPartition, Read> asked,
            Map<TopicPartition, Read> blocked,
            Map<TopicPartition, Long> ends) {
        for (TopicPartition partition : asked.keySet()) {
            Read seen = asked.get(partition);
            // It may have moved meanwhile.
            if (seen.equals(read.get(partition))) {
                if (blocked.containsKey(partition)) {
                    Instant since =
                            seen.blockedSince() == null ? clock.instant() : seen.blockedSince();
                    Read blockedNow = new Read(seen.monitor(), seen.position(), since);
                    read.put(partition, blockedNow);
                    seen.monitor().problem(scope(partition), problem(partition, blockedNow, ends));
                } else if (seen.blockedSince() != null && ends.containsKey(partition)) {
                    forget(partition);
                }
            }
        }
    }

    private Problem problem(TopicPartition partition, Read seen, Map<TopicPartition, Long> ends) {
        return new Problem(
                LinkState.BLOCKED_BY_TRANSACTION,
                partition
                        + " at "
                        + settings.displayName()
                        + ": "
                        + (ends.get(partition) - seen.position())
                        + " offset(s) from "
                        + seen.position()
                        + " on wait for the end of an open transaction since "
                        + seen.blockedSince().truncatedTo(ChronoUnit.SECONDS),
                seen.blockedSince(),
                false,
                true);
    }

    private String scope(TopicPartition partition) {
        return settings.role() + " transaction " + partition;
    }
}
