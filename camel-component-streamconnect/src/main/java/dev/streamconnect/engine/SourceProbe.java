package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.OptionalRight;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.acl.AclOperation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at a source from outside the poll thread: which topics may be read, and whether the
 * consumer hears anything at all (its {@code poll} never reports an outage). One housekeeping
 * thread at a time.
 */
final class SourceProbe implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceProbe.class);

    /** Problem scope of a topic at this source: what the cluster said last. */
    static final String TOPIC_SCOPE = "source topic";

    /** Problem scope of a topic that the cluster was asked for, and did not answer. */
    private static final String NO_ANSWER_SCOPE = "source no answer";

    /** Problem scope of reads that fail for all topics of the client. */
    static final String READ_SCOPE = "source read";

    /** Problem scope of an outage of the client that topics share. */
    static final String CLIENT_SCOPE = "source client";

    private static final Duration REFRESH = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(1);

    /** A connected consumer hears something at least each heartbeat (3 s). */
    static final Duration SILENT = Duration.ofSeconds(8);

    /** Where a new client gets no answer either, it need not last so long. */
    private static final Duration SILENT_FOR_ALL = Duration.ofSeconds(6);

    private static final Duration HEARS = Duration.ofSeconds(1);

    private static final Duration REBUILD_AFTER = Duration.ofSeconds(20);

    /** The cluster answers a new client for so long: the consumer should have found it again. */
    private static final Duration FOUND_AGAIN = Duration.ofSeconds(10);

    /** With a connection, silence mostly means that its group waits for a member that is gone. */
    private static final Duration REBUILD_CONNECTED_AFTER = Duration.ofMinutes(2);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final TopicProbe probe;
    private final OpenTransactions transactions;
    private final StoppedLag stoppedLag;
    private final OtherMembers others;
    private final Backoff backoff = new Backoff(RETRY, Duration.ofMinutes(5));
    private final Backoff missingBackoff = new Backoff(RETRY, Duration.ofSeconds(15));
    private double bytesHeard = -1;
    private Instant heardAt;
    private Instant outageSince;
    private Instant askedAt = Instant.EPOCH;
    private Instant answersSince;
    private Instant unansweredAt = Instant.EPOCH;
    private volatile boolean restarted;

    SourceProbe(
            ConnectionSettings settings,
            String clientId,
            String instanceId,
            Clock clock,
            OutageGate gate) {
        this(
                settings,
                instanceId,
                clock,
                new TopicProbe(settings, clientId, Duration.ofSeconds(6), gate));
    }

    SourceProbe(ConnectionSettings settings, String instanceId, Clock clock, TopicProbe probe) {
        this.settings = settings;
        this.clock = clock;
        this.probe = probe;
        this.transactions = new OpenTransactions(settings, clock, probe);
        this.stoppedLag = new StoppedLag(settings, clock, probe);
        this.others = new OtherMembers(settings, instanceId, clock, probe);
        this.heardAt = clock.instant();
    }

    /**
     * What a probe changed.
     *
     * @param joined topics that became readable
     * @param gone topics that were readable and are no more
     * @param anew topics that are read and are other ones since
     */
    record Changes(List<SourceTopic> joined, List<SourceTopic> gone, List<SourceTopic> anew) {}

    /** Probes what is due. */
    Changes probe(Collection<SourceTopic> topics) {
        Instant now = clock.instant();
        List<SourceTopic> due = topics.stream().filter(topic -> topic.isProbeDue(now)).toList();
        Changes changes = new Changes(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        if (due.isEmpty()) {
            return changes;
        }
        due.forEach(SourceTopic::probeBegins);
        boolean silent = !heardAt.plus(SILENT.dividedBy(2)).isAfter(now);
        boolean withSettings = !silent && due.stream().anyMatch(topic -> topic.areSettingsDue(now));
        List<String> names = due.stream().map(SourceTopic::name).toList();
        Map<String, TopicProbe.Result> results =
                silent
                        ? probe.describeQuickly(names, AclOperation.READ)
                        : probe.describe(names, AclOperation.READ, withSettings);
        for (SourceTopic topic : due) {
            TopicProbe.Result result = results.get(topic.name());
            if (result.isUsable()) {
                answers(true, now);
                topic.link().monitor().clear(scope(TOPIC_SCOPE));
                topic.link().monitor().clear(scope(NO_ANSWER_SCOPE));
                if (withSettings) {
                    topic.settings(result.config(), now);
                }
                topic.settingsDenied(result.settingsDenied());
                topic.link()
                        .monitor()
                        .right(
                                settings,
                                OptionalRight.SOURCE_SETTINGS,
                                topic.name(),
                                result.settingsDenied());
                PositionMark before = topic.mark();
                if (topic.readable(result, now, now.plus(REFRESH))) {
                    changes.joined().add(topic);
                } else if (before.isOther(topic.mark())) {
                    changes.anew().add(topic);
                }
                continue;
            }
            boolean outage = result.failure() instanceof FailureVerdict.Transient;
            answers(!outage, now);
            if (topic.isReadable() && outage) {
                topic.nextProbe(now.plus(RETRY.multipliedBy(5)));
                continue;
            }
            if (topic.isReadable()) {
                changes.gone().add(topic);
            }
            failed(topic, result.failure());
        }
        return changes;
    }

    /** A topic can't be read: say so and look again later. */
    void failed(SourceTopic topic, FailureVerdict verdict) {
        Instant now = clock.instant();
        int failures = topic.countFailure(now);
        topic.missing(verdict instanceof FailureVerdict.TopicMissing);
        boolean needsMending = verdict instanceof FailureVerdict.Unauthorized;
        topic.nextProbe(
                verdict instanceof FailureVerdict.Unreadable
                        ? Instant.MAX
                        : now.plus((needsMending ? backoff : missingBackoff).delay(failures)));
        LinkMonitor monitor = topic.link().monitor();
        if (verdict instanceof FailureVerdict.Transient) {
            // What is known of the topic stays: an outage mends no right and makes no topic.
            monitor.problem(scope(NO_ANSWER_SCOPE), Problem.of(verdict, now));
        } else {
            monitor.problem(scope(TOPIC_SCOPE), Problem.of(verdict, now));
            monitor.clear(scope(NO_ANSWER_SCOPE));
        }
    }

    /** True if the consumer has heard its cluster just now. */
    boolean hears() {
        return heardAt.plus(HEARS).isAfter(clock.instant());
    }

    /** Watches for messages behind an open transaction. */
    OpenTransactions transactions() {
        return transactions;
    }

    /** Looks at what waits in partitions that stopped. */
    StoppedLag stoppedLag() {
        return stoppedLag;
    }

    /** Watches for other processes in the group. */
    OtherMembers others() {
        return others;
    }

    /** Both sides of Hermes tell one monitor: one that works must not clear the other's problem. */
    String scope(String scope) {
        return settings.role() + " " + scope;
    }

    void restarted() {
        restarted = true;
    }

    /**
     * Looks for silence.
     *
     * @param consumer null while none is built because nothing answers
     * @param listens whether something is or would be subscribed
     * @return true if the consumer is silent for long though the cluster answers a new client:
     *     build it anew
     */
    boolean watch(Consumer<?, ?> consumer, boolean listens, Collection<SourceTopic> topics) {
        Instant now = clock.instant();
        double bytes = consumer == null ? bytesHeard : total(consumer, "incoming-byte-total");
        boolean heard = bytes != bytesHeard && !restarted && listens;
        if (heard || restarted || !listens) {
            restarted = false;
            bytesHeard = bytes;
            heardAt = now;
            if (heard) {
                heard(topics, now);
            }
            return false;
        }
        if (heardAt.plus(SILENT.dividedBy(2)).isAfter(now)) {
            answersSince = null;
            return false;
        }
        // Is it the cluster, or only this client? Known brokers may all be replaced.
        ask(topics, now);
        boolean nobodyHears =
                unansweredAt.isAfter(heardAt) && !heardAt.plus(SILENT_FOR_ALL).isAfter(now);
        if (heardAt.plus(SILENT).isAfter(now) && !nobodyHears) {
            return false;
        }
        boolean connected = consumer != null && total(consumer, "connection-count") > 0;
        if (outageSince == null && answersSince != null && connected) {
            Problem waits =
                    new Problem(
                            LinkState.STALLED,
                            settings.displayName()
                                    + ": group "
                                    + settings.groupId()
                                    + " takes no member yet; it gives up one that is gone after its"
                                    + " session.timeout.ms",
                            heardAt,
                            false);
            topics.forEach(topic -> topic.link().monitor().problem(scope(CLIENT_SCOPE), waits));
        } else if (outageSince == null) {
            outageBegins(topics);
        }
        return answersSince != null
                && answersSince.plus(FOUND_AGAIN).isBefore(now)
                && heardAt.plus(connected ? REBUILD_CONNECTED_AFTER : REBUILD_AFTER).isBefore(now);
    }

    private void ask(Collection<SourceTopic> topics, Instant now) {
        if (askedAt.plus(RETRY).isAfter(now)) {
            return;
        }
        askedAt = now;
        topics.stream().filter(SourceTopic::isReadable).forEach(topic -> topic.nextProbe(now));
    }

    private void outageBegins(Collection<SourceTopic> topics) {
        outageSince = heardAt;
        String why = Reachability.explain(settings);
        LOG.warn("{} does not answer since {} ({})", settings.displayName(), heardAt, why);
        Problem problem =
                new Problem(
                        LinkState.STALLED,
                        settings.displayName() + " does not answer: " + why,
                        heardAt,
                        true);
        topics.forEach(topic -> topic.link().monitor().problem(scope(CLIENT_SCOPE), problem));
    }

    private void answers(boolean doesSo, Instant now) {
        if (!doesSo) {
            answersSince = null;
            unansweredAt = now;
        } else if (answersSince == null) {
            answersSince = now;
        }
    }

    private void heard(Collection<SourceTopic> topics, Instant now) {
        topics.forEach(topic -> topic.link().monitor().clear(scope(CLIENT_SCOPE)));
        if (outageSince != null) {
            LOG.info(
                    "{} answers again after {} s",
                    settings.displayName(),
                    Duration.between(outageSince, now).toSeconds());
            outageSince = null;
        }
    }

    private static double total(Consumer<?, ?> consumer, String metricName) {
        double total = 0;
        for (Map.Entry<MetricName, ? extends Metric> metric : consumer.metrics().entrySet()) {
            MetricName name = metric.getKey();
            if (metricName.equals(name.name()) && "consumer-metrics".equals(name.group())) {
                total += ((Number) metric.getValue().metricValue()).doubleValue();
            }
        }
        return total;
    }

    /** New TLS material is in effect: what was refused with the old one may be taken now. */
    void renewed(Collection<SourceTopic> topics) {
        probe.renew();
        topics.stream()
                .filter(topic -> !topic.isReadable())
                .forEach(topic -> topic.nextProbe(clock.instant()));
    }

    @Override
    public void close() {
        probe.close();
    }
}
