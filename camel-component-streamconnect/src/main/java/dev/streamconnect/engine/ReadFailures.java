package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors of reads that are of no single topic, one after another: all links are told, the log of
 * the first and of the end. Says how long to wait after each and when another consumer may help.
 * Poll thread only.
 */
final class ReadFailures {

    private static final Logger LOG = LoggerFactory.getLogger(ReadFailures.class);

    private static final int BEFORE_REBUILD = 5;
    private static final Duration TOO_OLD_TRUST = Duration.ofSeconds(60);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final Map<String, SourceTopic> topics;
    private final String scope;
    private final Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    private int inARow;

    /** Before that time polls without an error are no sign that reading works. */
    private Instant trustedFrom = Instant.EPOCH;

    /**
     * @param scope of the problem at the links
     */
    ReadFailures(
            ConnectionSettings settings,
            Clock clock,
            Map<String, SourceTopic> topics,
            String scope) {
        this.settings = settings;
        this.clock = clock;
        this.topics = topics;
        this.scope = scope;
    }

    void worked() {
        if (inARow > 0 && !clock.instant().isBefore(trustedFrom)) {
            inARow = 0;
            topics.values().forEach(topic -> topic.link().monitor().clear(scope));
            LOG.info("{}: reading works again", settings.displayName());
        }
    }

    /**
     * A read, or what was done to mend it, has failed.
     *
     * @param hasConsumer false if none could be built
     * @return why the consumer should be built anew; null if that would not help
     */
    String failed(RuntimeException error, boolean hasConsumer) {
        inARow++;
        FailureVerdict verdict =
                FailureClassifier.classify(settings.displayName(), settings, error);
        if (FailureClassifier.isTooOld(error)) {
            // A new client polls without an error until it gets to what the broker does not know.
            trustedFrom = clock.instant().plus(TOO_OLD_TRUST);
        }
        tell(verdict);
        if (inARow == 1) {
            LOG.warn("{}: reading fails: {}", settings.displayName(), Causes.shortest(error));
        }
        LOG.debug("{}: reading fails", settings.displayName(), error);
        boolean fatal = verdict instanceof FailureVerdict.ClientFatal;
        boolean needsMending = verdict instanceof FailureVerdict.Unauthorized || !hasConsumer;
        return fatal || (inARow >= BEFORE_REBUILD && !needsMending) ? verdict.reason() : null;
    }

    /** No other consumer can be built either: the next turn tries again. */
    void notRebuilt(RuntimeException error) {
        LOG.debug("{}: can't build a consumer", settings.displayName(), error);
        tell(new FailureVerdict.Transient("can't build a consumer: " + Causes.shortest(error)));
    }

    private void tell(FailureVerdict verdict) {
        Problem problem = Problem.of(verdict, clock.instant());
        topics.values().forEach(topic -> topic.link().monitor().problem(scope, problem));
    }

    /** How long to wait before the next read. */
    Duration pause() {
        return backoff.delay(inARow);
    }
}
