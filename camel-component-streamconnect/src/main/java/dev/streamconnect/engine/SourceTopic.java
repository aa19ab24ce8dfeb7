package dev.streamconnect.engine;

import java.time.Instant;
import org.apache.kafka.common.Uuid;

/**
 * One topic of a source client: whether it may be read, and what the last probe saw. Thread-safe.
 */
final class SourceTopic {

    private final String name;
    private final KafkaLink link;
    private boolean readable;
    private int partitions;
    private Uuid topicId;
    private Instant nextProbe = Instant.EPOCH;
    private Instant readableSince;
    private int failures;

    SourceTopic(String name, KafkaLink link) {
        this.name = name;
        this.link = link;
    }

    String name() {
        return name;
    }

    KafkaLink link() {
        return link;
    }

    synchronized boolean isReadable() {
        return readable;
    }

    synchronized int partitions() {
        return partitions;
    }

    /** Null where the broker tells none. */
    synchronized Uuid topicId() {
        return topicId;
    }

    synchronized boolean isProbeDue(Instant now) {
        return !now.isBefore(nextProbe);
    }

    synchronized void nextProbe(Instant at) {
        nextProbe = at;
    }

    /** Returns true if it was not readable before. */
    synchronized boolean readable(TopicProbe.Result seen, Instant now, Instant nextProbeAt) {
        boolean news = !readable;
        readable = true;
        partitions = seen.partitions();
        topicId = seen.topicId();
        nextProbe = nextProbeAt;
        if (news) {
            readableSince = now;
        }
        return news;
    }

    synchronized void left() {
        readable = false;
    }

    /**
     * Counts a failure in a row; one that comes long after the topic became readable begins a new
     * row.
     */
    synchronized int countFailure(Instant now) {
        boolean wasWell = readableSince != null && readableSince.plusSeconds(60).isBefore(now);
        failures = wasWell ? 1 : failures + 1;
        readableSince = null;
        return failures;
    }
}
