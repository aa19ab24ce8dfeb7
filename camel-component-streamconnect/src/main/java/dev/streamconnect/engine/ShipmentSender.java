package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the shipments of an {@link Outbox}, chunk by chunk, and decides by the outcome of each
 * chunk how its shipment goes on.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A shipment has at most one unacknowledged chunk ({@link ShipmentAttempt}), so its order
 *       survives any failure.
 *   <li>An error of one record, topic or right never rebuilds the producer, since others share it.
 * </ul>
 *
 * <p>Threads: one of its own, the only one that sends, builds producers, or may block in the Kafka
 * client; {@link #attemptDone} is called on the producer's I/O thread, or on the own one where
 * nothing was sent.
 */
final class ShipmentSender {

    static final String SCOPE = "sender";
    private static final Logger LOG = LoggerFactory.getLogger(ShipmentSender.class);

    private static final long ABSORB_LIMIT_MILLIS = 1_000;

    /** What is not acknowledged by then is sent again by the new producer. */
    private static final Duration HAND_OVER_LIMIT = Duration.ofSeconds(10);

    /** Bytes of the budget for a shipment of one message: many of them share a batch. */
    private static final int SINGLE_COST = 8 * 1024;

    private final ConnectionSettings settings;
    private final Clock clock;
    private final Outbox outbox;
    private final ProducerSupervisor supervisor;
    private final boolean compressed;
    private final Thread thread;

    /** Why nothing is sent any more; null while it is. */
    private volatile Problem ended;

    /**
     * @param compressed whether the producers compress
     */
    ShipmentSender(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            Outbox outbox,
            ProducerSupervisor supervisor,
            boolean compressed) {
        this.settings = settings;
        this.clock = clock;
        this.outbox = outbox;
        this.supervisor = supervisor;
        this.compressed = compressed;
        this.thread = new Thread(this::run, "streamconnect-send-" + clientId);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Tells a link that came after the end of the sending. */
    void tellIfEnded(LinkMonitor monitor) {
        if (ended != null) {
            monitor.problem(SCOPE, ended);
        }
    }

    private void run() {
        try {
            takeTurns();
        } catch (Error e) {
            LOG.error("{}: sending ended by an error of the JVM", settings.displayName(), e);
            end(e);
        } finally {
            outbox.close();
            // A close in the middle of a rebuild or a send has missed these.
            supervisor.retire();
            outbox.giveBackAll();
        }
    }

    /** Without its thread this client is of no use: the links that send to it shall say so. */
    private void end(Error error) {
        ended =
                new Problem(
                        LinkState.FAILED,
                        settings.displayName()
                                + ": sending ended: "
                                + Causes.shortest(error)
                                + "; restart the process",
                        clock.instant(),
                        true);
        outbox.monitors().forEach(this::tellIfEnded);
    }

    private void takeTurns() {
        while (!outbox.isClosed()) {
            try {
                Runnable next = outbox.take(this::send);
                if (next != null) {
                    next.run();
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | StackOverflowError e) {
                LOG.error(
                        "{}: unexpected failure in the sender, going on",
                        settings.displayName(),
                        e);
            }
        }
    }

    private void send(DestinationTopic topic, Shipment shipment) {
        ProducerGeneration current = supervisor.generation();
        ShipmentAttempt attempt = new ShipmentAttempt(shipment, topic, current);
        FailureVerdict refused = outbox.enter(attempt, cost(shipment));
        if (refused != null) {
            shipment.listener().failed(shipment, refused);
            return;
        }
        try {
            boolean single = shipment.isSearched();
            attempt.send(current.producer(), chunk(topic), single, clock.millis());
            outbox.pace().took(outbox, attempt.bytes());
        } catch (RuntimeException e) {
            if (!current.isRetired()) {
                LOG.debug("{}: no metadata of {}", settings.displayName(), topic.name(), e);
                // All are in doubt if it knows no cluster yet.
                outbox.notSent(attempt, supervisor.generation().clusterId() == null);
            }
        }
    }

    /** What a chunk takes of the producer's memory: a whole batch; single messages share one. */
    private long cost(Shipment shipment) {
        int batchSize = supervisor.batchSize();
        return shipment.size() == 1 ? Math.min(SINGLE_COST, batchSize) : batchSize;
    }

    /** The broker's limit is one of batches, too. */
    private ChunkSize chunk(DestinationTopic topic) {
        DestinationContract contract = topic.contract();
        int batchSize = supervisor.batchSize();
        int most = contract.size().bytes() - ChunkSize.BATCH_OVERHEAD;
        int size = contract.readable() && most > 0 ? Math.min(batchSize, most) : batchSize;
        return ChunkSize.ofBatch(outbox.pace().part(size), compressed);
    }

    /** Of a topic that takes whole batches. */
    ChunkSize chunk() {
        return ChunkSize.ofBatch(outbox.pace().part(supervisor.batchSize()), compressed);
    }

    // ---- hand-over

    /**
     * Has a new producer take over between two chunks, so that nothing is sent twice: nothing new
     * is sent before what is in flight has come to its end. From any thread; never blocks.
     *
     * @param reason for the log
     */
    void handOver(String reason) {
        ProducerGeneration old = supervisor.generation();
        outbox.control(
                () -> {
                    BooleanSupplier isOther = () -> supervisor.generation() != old;
                    // A producer that was built meanwhile has seen what is new.
                    if (!isOther.getAsBoolean()) {
                        outbox.holdUntilQuiet(HAND_OVER_LIMIT, isOther);
                    }
                    if (!isOther.getAsBoolean()) {
                        supervisor.rebuild(reason);
                    }
                    outbox.release();
                });
    }

    // ---- outcomes

    /** Every record of a chunk is acknowledged or has failed. */
    void attemptDone(ShipmentAttempt attempt) {
        if (!attempt.succeeded()) {
            outbox.control(() -> evaluate(attempt));
            return;
        }
        Shipment shipment = attempt.shipment();
        attempt.ackAll();
        int more = attempt.acknowledged();
        boolean whole = shipment.acked() >= shipment.size();
        boolean refused = !whole && attempt.refusal() != null;
        if (whole || refused) {
            outbox.ended(attempt, more, refused);
        } else {
            outbox.goOn(attempt, more, () -> goOn(attempt));
        }
        if (more > 0) {
            attempt.tellProgress(more);
        }
        if (whole) {
            shipment.listener().delivered(shipment);
        } else if (refused) {
            shipment.listener()
                    .failed(
                            shipment,
                            new FailureVerdict.MessageRefused(
                                    where(attempt.topic())
                                            + " refuses the message: "
                                            + attempt.refusal().text(),
                                    attempt.refusal().kind(),
                                    ""));
        }
    }

    /** Sends the next chunk of the shipment; own thread. */
    private void goOn(ShipmentAttempt done) {
        if (done.generation().isRetired()) {
            return;
        }
        if (outbox.isHolding()) {
            outbox.rest(done);
        } else if (!outbox.waitsForTurn(done)) {
            send(done.topic(), done.shipment());
        }
    }

    /** Looks at a chunk of which something failed; own thread. */
    private void evaluate(ShipmentAttempt attempt) {
        Shipment shipment = attempt.shipment();
        DestinationTopic topic = attempt.topic();
        if (attempt.generation().isRetired()) {
            return;
        }
        attempt.absorbAcks(ABSORB_LIMIT_MILLIS);
        int more = attempt.acknowledged();
        if (more > 0) {
            outbox.countAcknowledged(more);
            attempt.tellProgress(more);
        }
        Exception error = attempt.decidingError();
        shipment.lastError(error);
        FailureVerdict verdict = FailureClassifier.classify(where(topic), settings, error);
        if (verdict instanceof FailureVerdict.ClientFatal) {
            supervisor.rebuild(verdict.reason());
            return;
        }
        if (FailureClassifier.isIdempotenceDenied(error) && supervisor.goOnWithoutIdempotence()) {
            return;
        }
        if (verdict instanceof FailureVerdict.MessageRefused && attempt.size() > 1) {
            // The broker refuses a batch as a whole: resend singly to find the record.
            shipment.searchUntil(attempt.end());
            send(topic, shipment);
            return;
        }
        outbox.failed(attempt, verdict);
        shipment.listener().failed(shipment, verdict);
    }

    private String where(DestinationTopic topic) {
        return "topic " + topic.name() + " at " + settings.displayName();
    }
}
