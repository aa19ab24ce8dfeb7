package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * The lag of partitions that stopped, by their policy, until somebody decides: nothing is fetched
 * of them, so their consumer does not know it.
 *
 * <p>The poll thread says which they are, one housekeeping thread at a time asks the cluster; both
 * may come at once.
 */
final class StoppedLag {

    /** One request a broker, whatever the number of partitions. */
    private static final Duration LOOK = Duration.ofSeconds(10);

    /**
     * A partition that stopped.
     *
     * @param from first offset that its source has for it
     */
    private record Stopped(LinkMonitor monitor, long from) {}

    private final ConnectionSettings settings;
    private final Clock clock;
    private final TopicProbe probe;
    private final Map<TopicPartition, Stopped> stopped = new HashMap<>();
    private Instant nextLook = Instant.EPOCH;

    StoppedLag(ConnectionSettings settings, Clock clock, TopicProbe probe) {
        this.settings = settings;
        this.clock = clock;
        this.probe = probe;
    }

    /** A partition stands still; all that its source has from there on waits. */
    synchronized void stopped(TopicPartition partition, long from, LinkMonitor monitor) {
        stopped.put(partition, new Stopped(monitor, from));
    }

    /** It goes on, or is another node's. */
    synchronized void forget(TopicPartition partition) {
        stopped.remove(partition);
    }

    /** Asks the cluster if it is time; blocks for seconds at most. */
    void look() {
        Map<TopicPartition, Stopped> asked;
        synchronized (this) {
            Instant now = clock.instant();
            if (now.isBefore(nextLook) || stopped.isEmpty()) {
                return;
            }
            nextLook = now.plus(LOOK);
            asked = new HashMap<>(stopped);
        }
        Map<TopicPartition, Long> ends = probe.ends(asked.keySet(), IsolationLevel.READ_COMMITTED);
        synchronized (this) {
            ends.forEach(
                    (partition, end) -> {
                        Stopped one = asked.get(partition);
                        // It may go on meanwhile.
                        if (one.equals(stopped.get(partition))) {
                            one.monitor()
                                    .lag(SourceLag.scope(settings, partition), end - one.from());
                        }
                    });
        }
    }
}
