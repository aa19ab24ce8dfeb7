package dev.streamconnect.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The topics to which a source client is subscribed: those that may be read. Changes that come
 * close together are one, since each is a rebalance of the group.
 *
 * <p>Poll thread only, but for {@link #isEmpty}.
 */
final class SourceSubscription {

    /** Changes within this time are one. */
    static final Duration COALESCE = Duration.ofMillis(200);

    /**
     * A link that restarts with other options is back by then, and its topic never left: no
     * rebalance.
     */
    static final Duration COALESCE_LEAVING = Duration.ofSeconds(1);

    private final Clock clock;
    private final OutageGate gate;
    private final Map<String, SourceTopic> topics;
    private final SourceConsumer consumer;
    private final SourceAssignment assignment;
    private final Runnable leaveGroup;
    private volatile Set<String> subscribed = Set.of();
    private Instant changeAt = Instant.MAX;
    private boolean hasJoined;

    /**
     * @param leaveGroup gives the place in the group up; may block for seconds
     */
    SourceSubscription(
            Clock clock,
            OutageGate gate,
            Map<String, SourceTopic> topics,
            SourceConsumer consumer,
            SourceAssignment assignment,
            Runnable leaveGroup) {
        this.clock = clock;
        this.gate = gate;
        this.topics = topics;
        this.consumer = consumer;
        this.assignment = assignment;
        this.leaveGroup = leaveGroup;
    }

    boolean isEmpty() {
        return subscribed.isEmpty();
    }

    /** What may be read has changed; a change that is due earlier stays so. */
    void changeIn(Duration time) {
        Instant at = clock.instant().plus(time);
        if (at.isBefore(changeAt)) {
            changeAt = at;
        }
    }

    void changeIfDue() {
        if (!clock.instant().isBefore(changeAt)) {
            change();
        }
    }

    private void change() {
        changeAt = Instant.MAX;
        Set<String> wanted = new HashSet<>();
        topics.values().stream()
                .filter(SourceTopic::isReadable)
                .forEach(topic -> wanted.add(topic.name()));
        if (wanted.equals(subscribed)) {
            // A topic may have left and come back within the time in which changes are put
            // together.
            consumer.get().assignment().forEach(assignment::adopt);
            return;
        }
        subscribed = Set.copyOf(wanted);
        SourceConsumer.unwoken(() -> consumer.get().subscribe(wanted, assignment));
        if (wanted.isEmpty()) {
            leaveGroup();
        } else {
            hasJoined = true;
        }
    }

    /** The consumer has ended; the next one subscribes anew. */
    void dropped() {
        subscribed = Set.of();
    }

    /** Others take the partitions now; else they would wait for the end of the session. */
    void leaveGroup() {
        if (hasJoined && gate.isOpen()) {
            hasJoined = false;
            leaveGroup.run();
        }
    }
}
