package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The undelivered messages of one destination topic that came from senders without a source: stores
 * them, holds later ones of their keys, and sends them again under a lease, so that of all nodes
 * one at a time does. Thread-safe.
 */
final class DirectUndelivered {

    private static final Logger LOG = LoggerFactory.getLogger(DirectUndelivered.class);
    private static final int MAX_ROWS = 500;
    private static final long MAX_BYTES = 1024 * 1024;

    private final String topic;
    private final MessageOrigin origin;
    private final TopicPair topics;
    private final Undelivered undelivered;
    private final Clock clock;
    private final String owner;
    private final Duration lease;
    private final Duration deliveryLimit;
    private volatile Consumer<Shipment> shipper;
    private Set<ByteBuffer> held = new HashSet<>();
    private final ArrayDeque<Kept> queue = new ArrayDeque<>();
    private boolean storing;
    private CompletableFuture<SweepCounts> sweep;
    private long changes;
    private boolean loaded;

    /**
     * @param owner unique among nodes and their restarts
     * @param deliveryLimit how long a row may wait for its acknowledgement
     */
    DirectUndelivered(
            String topic,
            Undelivered undelivered,
            Clock clock,
            String owner,
            Duration deliveryLimit) {
        this.topic = topic;
        this.origin = MessageOrigin.direct(topic);
        this.topics = TopicPair.direct(topic);
        this.undelivered = undelivered;
        this.clock = clock;
        this.owner = owner;
        this.deliveryLimit = deliveryLimit;
        this.lease = deliveryLimit.plus(Duration.ofSeconds(60));
    }

    /** Sets who sends to the topic now. */
    void shipper(Consumer<Shipment> current) {
        shipper = current;
    }

    MessageOrigin origin() {
        return origin;
    }

    synchronized boolean holdsAny() {
        return !held.isEmpty();
    }

    /** Reads which keys wait; blocks as long as the database takes. */
    void load() {
        try {
            refresh();
        } catch (RuntimeException e) {
            LOG.warn(
                    "topic {}: it is not known which keys have undelivered messages, and newer ones may pass them: {}",
                    topic,
                    Causes.shortest(e));
        }
    }

    /** Why a message of that key may not be sent now; null if it may. */
    synchronized FailureVerdict heldBack(byte[] key) {
        return key == null || !held.contains(ByteBuffer.wrap(key))
                ? null
                : new FailureVerdict.MessageRefused(
                        UndeliveredRecords.BEHIND, Reason.BEHIND_KEY, "");
    }

    /**
     * Stores a message that was not delivered.
     *
     * @param failure what its sender would be told without a store
     * @param result completes when the message is durable, or with the failure if it can't be
     *     stored either
     */
    void keep(
            OutgoingRecord outgoing,
            FailureVerdict verdict,
            Exception failure,
            CompletableFuture<SendResult> result) {
        UndeliveredMessage message = message(outgoing, verdict, failure);
        boolean first;
        synchronized (this) {
            changes++;
            if (undelivered.holdsKeys() && outgoing.key() != null) {
                held.add(ByteBuffer.wrap(outgoing.key()));
            }
            queue.add(new Kept(message, failure, result));
            first = !storing;
            storing = true;
        }
        if (first && !undelivered.execute(this::storeQueued)) {
            endQueued(take(Integer.MAX_VALUE), null);
        }
    }

    /** A message on its way into the store. */
    private record Kept(
            UndeliveredMessage message, Exception failure, CompletableFuture<SendResult> result) {}

    /**
     * One at a time: the order in which they are stored is the one in which they are sent again.
     */
    private void storeQueued() {
        for (List<Kept> next = take(MAX_ROWS); !next.isEmpty(); next = take(MAX_ROWS)) {
            RuntimeException fault = null;
            try {
                undelivered.store().store(next.stream().map(Kept::message).toList());
            } catch (RuntimeException e) {
                fault = e;
            }
            if (fault == null) {
                next.forEach(
                        kept ->
                                kept.result()
                                        .complete(
                                                SendResult.stored(
                                                        topic, kept.message().errorText())));
            } else {
                endQueued(next, fault);
            }
        }
    }

    /** Empty if none is left: then the next one begins anew. */
    private synchronized List<Kept> take(int most) {
        List<Kept> taken = new ArrayList<>();
        while (!queue.isEmpty() && taken.size() < most) {
            taken.add(queue.poll());
        }
        storing = !taken.isEmpty();
        return taken;
    }

    /**
     * They could not be stored either: their senders are told what they would be without a store.
     */
    private static void endQueued(List<Kept> lost, RuntimeException fault) {
        for (Kept kept : lost) {
            if (fault != null) {
                kept.failure().addSuppressed(fault);
            }
            kept.result().completeExceptionally(kept.failure());
        }
    }

    private UndeliveredMessage message(
            OutgoingRecord outgoing, FailureVerdict verdict, Exception failure) {
        Instant now = clock.instant();
        Reason reason = reason(verdict);
        boolean behind = reason == Reason.BEHIND_KEY;
        return new UndeliveredMessage(
                origin,
                Stage.DESTINATION,
                "",
                0,
                -1,
                0,
                topics,
                outgoing.partition(),
                outgoing.key(),
                outgoing.value(),
                UndeliveredRecords.headers(outgoing.headers()),
                outgoing.timestamp() == null ? now.toEpochMilli() : outgoing.timestamp(),
                reason,
                behind ? "" : failure.getClass().getName(),
                verdict.reason(),
                behind ? 0 : 1,
                now,
                behind ? now : undelivered.policy().next(1, now));
    }

    private static Reason reason(FailureVerdict verdict) {
        if (verdict instanceof FailureVerdict.MessageRefused refused) {
            return refused.kind();
        }
        if (verdict instanceof FailureVerdict.Unauthorized) {
            return Reason.AUTHORIZATION;
        }
        return verdict instanceof FailureVerdict.TopicMissing
                ? Reason.TOPIC_MISSING
                : Reason.UNREACHABLE;
    }

    /**
     * Sends what is due, if no other node does; ends with what it did. While it waits for the
     * destination there is no second one, which would send the same rows.
     */
    CompletableFuture<SweepCounts> sweep() {
        CompletableFuture<SweepCounts> ended = new CompletableFuture<>();
        synchronized (this) {
            if (sweep != null && !sweep.isDone()) {
                return sweep;
            }
            sweep = ended;
        }
        step(clock.instant(), SweepCounts.NONE, ended);
        return ended;
    }

    /**
     * @param began of the sweep: it tries each row once
     */
    private void step(Instant began, SweepCounts before, CompletableFuture<SweepCounts> ended) {
        undelivered.step(
                ended,
                () -> {
                    if (!undelivered.store().lease(origin.link(), owner, lease)) {
                        end(before, ended, false);
                        return;
                    }
                    List<StoredMessage> rows =
                            undelivered
                                    .store()
                                    .due(
                                            origin,
                                            topics,
                                            Stage.DESTINATION,
                                            began,
                                            MAX_ROWS,
                                            MAX_BYTES);
                    if (rows.isEmpty()) {
                        end(before, ended, true);
                        return;
                    }
                    new RowsDelivery(
                                    rows,
                                    clock.instant().plus(deliveryLimit),
                                    undelivered,
                                    clock,
                                    shipper,
                                    (result, goOn) -> note(result, goOn, began, before, ended))
                            .ship();
                });
    }

    private void note(
            RowsResult result,
            boolean goOn,
            Instant began,
            SweepCounts before,
            CompletableFuture<SweepCounts> ended) {
        undelivered.step(
                ended,
                () -> {
                    result.note(undelivered.store());
                    SweepCounts now = before.plus(result.counts());
                    if (goOn) {
                        step(began, now, ended);
                    } else {
                        end(now, ended, true);
                    }
                });
    }

    private void end(SweepCounts counts, CompletableFuture<SweepCounts> ended, boolean leased) {
        refresh();
        if (leased) {
            undelivered.store().release(origin.link(), owner);
        }
        ended.complete(counts);
    }

    /** Takes over what the store says, unless something was stored meanwhile. */
    private void refresh() {
        long before;
        synchronized (this) {
            before = changes;
        }
        List<HeldKey> keys = undelivered.store().heldKeys(origin, topics);
        Set<ByteBuffer> now = new HashSet<>();
        keys.forEach(key -> now.add(ByteBuffer.wrap(key.key())));
        synchronized (this) {
            if (!loaded) {
                // What was stored since the start is not in the answer for sure.
                now.addAll(held);
                loaded = true;
            } else if (changes != before) {
                return;
            }
            held = undelivered.holdsKeys() ? now : new HashSet<>();
        }
    }
}
