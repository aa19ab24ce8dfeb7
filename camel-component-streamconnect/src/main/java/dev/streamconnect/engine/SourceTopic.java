package dev.streamconnect.engine;

import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;

/**
 * One topic of a source client: whether it may be read, and what the last probe saw. Thread-safe.
 */
final class SourceTopic {

    private static final Duration SETTINGS_AGE = Duration.ofMinutes(10);

    private final String name;
    private final KafkaLink link;
    private boolean readable;
    private boolean missing;
    private boolean cameLater;
    private int partitions;
    private PositionMark mark = PositionMark.UNKNOWN;
    private PositionMark firstSeen = PositionMark.UNKNOWN;
    private final Map<Integer, LastRead> lastRead = new HashMap<>();
    private long looksAsked;
    private long looksBegun;
    private long looksDone;
    private Instant nextProbe = Instant.EPOCH;
    private Instant readableSince;
    private int failures;
    private Long retentionMillis;
    private Instant nextSettings = Instant.EPOCH;
    private boolean settingsDenied;

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

    /** True where the cluster says that there is no such topic. */
    synchronized boolean isMissing() {
        return missing;
    }

    synchronized void missing(boolean isSo) {
        missing = isSo;
        cameLater |= isSo;
    }

    synchronized int partitions() {
        return partitions;
    }

    /** Which topic it is, by the last probe. */
    synchronized PositionMark mark() {
        return mark;
    }

    /**
     * Where a partition was read last by this process.
     *
     * @param mark of which topic; of the first that was seen, if it was never read here
     * @param position first offset that was not settled; -1 if it was never read here
     */
    record LastRead(PositionMark mark, long position) {}

    synchronized LastRead lastRead(int partition) {
        return lastRead.getOrDefault(partition, new LastRead(firstSeen, -1));
    }

    /** Kept only with a topic's id: without it nobody could tell a topic that was made anew. */
    synchronized void lastRead(int partition, PositionMark of, long position) {
        if (!of.topicId().isEmpty()) {
            lastRead.put(partition, new LastRead(of, position));
        }
    }

    /** Asks for a probe soon; the answer is for {@link #hasLooked}. Any thread. */
    synchronized long look() {
        return ++looksAsked;
    }

    /** True if a probe that began after it was asked for has seen the topic. */
    synchronized boolean hasLooked(long look) {
        return looksDone >= look;
    }

    /** Where its partitions begin that have no position; null while that is not known. */
    StartFrom startFrom(String side) {
        synchronized (this) {
            if (cameLater && link.definition().startFrom() instanceof StartFrom.Latest) {
                // All that is in it came since its link was opened.
                return StartFrom.EARLIEST;
            }
        }
        return link.startFrom(side);
    }

    synchronized boolean isProbeDue(Instant now) {
        return looksBegun < looksAsked || !now.isBefore(nextProbe);
    }

    synchronized void probeBegins() {
        looksBegun = looksAsked;
    }

    synchronized void nextProbe(Instant at) {
        nextProbe = at;
    }

    /** Returns true if it was not readable before. */
    synchronized boolean readable(TopicProbe.Result seen, Instant now, Instant nextProbeAt) {
        boolean news = !readable;
        readable = true;
        missing = false;
        partitions = seen.partitions();
        mark = mark(seen);
        if (firstSeen == PositionMark.UNKNOWN) {
            firstSeen = mark;
        }
        looksDone = looksBegun;
        nextProbe = nextProbeAt;
        if (news) {
            readableSince = now;
        }
        return news;
    }

    /** What is not told now is as before; an old broker tells no topic id. */
    private PositionMark mark(TopicProbe.Result seen) {
        boolean hasId = seen.topicId() != null && !seen.topicId().equals(Uuid.ZERO_UUID);
        return new PositionMark(
                hasId ? seen.topicId().toString() : mark.topicId(),
                seen.clusterId() == null ? mark.clusterId() : seen.clusterId(),
                -1);
    }

    /** Its settings change seldom and cost a request: they are read each ten minutes. */
    synchronized boolean areSettingsDue(Instant now) {
        return !now.isBefore(nextSettings);
    }

    /**
     * Settings were asked for.
     *
     * @param settings null where the rights do not allow to read them
     */
    synchronized void settings(Map<String, String> settings, Instant now) {
        nextSettings = now.plus(SETTINGS_AGE);
        retentionMillis = retention(settings);
    }

    /**
     * Whether the right to read its settings is missing: once it is given they are due.
     *
     * @param denied null where that is not known now
     */
    synchronized void settingsDenied(Boolean denied) {
        if (denied == null) {
            return;
        }
        if (settingsDenied && !denied && retentionMillis == null) {
            nextSettings = Instant.EPOCH;
        }
        settingsDenied = denied;
    }

    private static Long retention(Map<String, String> settings) {
        String policy = settings == null ? null : settings.get(TopicConfig.CLEANUP_POLICY_CONFIG);
        String millis = settings == null ? null : settings.get(TopicConfig.RETENTION_MS_CONFIG);
        boolean deletes = policy == null || policy.contains(TopicConfig.CLEANUP_POLICY_DELETE);
        if (millis == null || !deletes) {
            return null;
        }
        long read = Long.parseLong(millis);
        return read < 0 ? null : read;
    }

    /** How long the source keeps a message, milliseconds; null for ever, or while unknown. */
    synchronized Long retentionMillis() {
        return retentionMillis;
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
