package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsPortException;
import dev.streamconnect.cluster.TokenException;
import dev.streamconnect.cluster.UnresolvedHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one producer after another at work for a destination client: builds the next when the
 * cluster behind the address has changed, after a client-fatal error, when nothing is acknowledged
 * or connected any more, and with smaller batches where a broker refuses them as too large. What is
 * in flight and unacknowledged goes back into the {@link Outbox}, in the order in which it was
 * shipped, before the next producer is built.
 *
 * <p>Threads: producers are built and replaced by the sender thread only; {@link #housekeep} from
 * the engine's housekeeping threads, one at a time; it asks the sender thread for a change.
 */
final class ProducerSupervisor {

    private static final Logger LOG = LoggerFactory.getLogger(ProducerSupervisor.class);

    /** Bytes. */
    private static final int SMALLEST_BATCH = 1024;

    private static final Duration GATE_LOOK = Duration.ofMillis(500);

    /** Pending without an acknowledgement for so long: the status says so. */
    private static final Duration STALL = Duration.ofSeconds(5);

    /** One connection after another is lost for so long, and nothing heard: there is nobody. */
    private static final Duration LOST = Duration.ofMillis(1_500);

    /** Pending without any acknowledgement for so long: the client is built anew. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    /** A probe is refused: the next one comes within this, where anybody waits for one. */
    private static final Duration PROBED = Duration.ofSeconds(60);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final OutageGate gate;
    private final Outbox outbox;
    private final ProducerFactory producers;
    private final Consumer<ShipmentAttempt> onAttemptDone;
    private final LostConnection connection;
    private final Refusals refusals = new Refusals();
    private final BatchSplits splits;
    private final Backoff refusedBackoff =
            new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5));
    private final SilenceWatch silence;
    private final RebuildPacing pacing;
    private final ThrottleTime throttle = ThrottleTime.ofProducer();
    private final Backoff backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(20));
    private volatile ProducerGeneration generation;

    /** Bytes; changed while nothing is in flight. */
    private volatile int batchSize;

    /** Brokers refuse the right to write with idempotence. */
    private volatile boolean idempotenceDenied;

    /** Brokers refuse the certificate or user: no producer is built before. */
    private volatile Instant refusedUntil = Instant.MIN;

    private int refusedInARow;

    private volatile int rebuilds;

    /**
     * Builds the first producer. It is without one as long as no host has an address, or the port
     * speaks TLS unexpectedly.
     *
     * @param batchSize bytes, to begin with
     * @param onAttemptDone told of each chunk that came to its end; not of those of a producer that
     *     was replaced
     */
    ProducerSupervisor(
            ConnectionSettings settings,
            Clock clock,
            OutageGate gate,
            Outbox outbox,
            ProducerFactory producers,
            int batchSize,
            Consumer<ShipmentAttempt> onAttemptDone) {
        this.settings = settings;
        this.clock = clock;
        this.gate = gate;
        this.outbox = outbox;
        this.producers = producers;
        this.batchSize = batchSize;
        this.onAttemptDone = onAttemptDone;
        this.connection = LostConnection.ofProducer(LOST, clock);
        this.splits = new BatchSplits(clock);
        this.silence = new SilenceWatch(settings, STALL, SILENCE);
        this.pacing = new RebuildPacing(settings.displayName(), clock);
        this.generation = first();
    }

    private ProducerGeneration first() {
        try {
            return build();
        } catch (UnresolvedHostException | TlsPortException | TokenException e) {
            outbox.control(this::buildNext);
            return new ProducerGeneration(onAttemptDone, this::clusterChanged);
        }
    }

    private ProducerGeneration build() {
        ProducerGeneration next = new ProducerGeneration(onAttemptDone, this::clusterChanged);
        next.use(producers.build(next, batchSize, idempotenceDenied));
        return next;
    }

    /** The present one; without a producer as long as none could be built. */
    ProducerGeneration generation() {
        return generation;
    }

    /** Of the present producer, in bytes. */
    int batchSize() {
        return batchSize;
    }

    /** How often the producer was built anew since the start. */
    int rebuilds() {
        return rebuilds;
    }

    /** The cluster answered: it told a probe something. Any thread. */
    void heard() {
        silence.heard();
    }

    /** True if it goes on without idempotence since the right to it is missing. */
    boolean isIdempotenceDenied() {
        return idempotenceDenied;
    }

    /**
     * What a probe was told of the certificate or user. A producer that is refused would go on
     * connecting, each second with several addresses, and log each refusal: it is closed until a
     * probe is taken. One thread at a time with {@link #housekeep}.
     */
    void refused(boolean isSo) {
        if (isSo) {
            refusedFor(PROBED);
        } else {
            refusedUntil = Instant.MIN;
        }
    }

    private void refusedFor(Duration wait) {
        boolean news = !isRefused();
        refusedUntil = clock.instant().plus(wait);
        if (news) {
            ifStill(generation, () -> rebuild("the certificate or user is refused"));
        }
    }

    private boolean isRefused() {
        return clock.instant().isBefore(refusedUntil);
    }

    /** Ends the present producer; any thread, idempotent. */
    void retire() {
        generation.retire();
    }

    // ---- sender thread

    /**
     * Ends the producer, puts what is in flight back in order, builds another; sender thread. In an
     * outage the other is not built before a broker answers.
     */
    void rebuild(String reason) {
        generation.retire();
        putBack(reason);
        outbox.pause(pacing.delay());
        awaitAnswer();
        if (buildNext()) {
            silence.restart();
            outbox.probeAll();
        }
    }

    private void putBack(String reason) {
        List<ShipmentAttempt> ended = outbox.inFlight();
        rebuilds++;
        pacing.began(reason, ended.size());
        ended.forEach(attempt -> attempt.absorbAcks(0));
        List<Shipment> whole = outbox.putBack(ended);
        for (ShipmentAttempt attempt : ended) {
            int more = attempt.acknowledged();
            if (more > 0) {
                attempt.tellProgress(more);
            }
        }
        whole.forEach(shipment -> shipment.listener().delivered(shipment));
    }

    private void awaitAnswer() {
        if (gate.isOpen() && !isRefused()) {
            return;
        }
        // So that the silence is seen, and nothing is sent before a probe has seen the topic.
        outbox.doubtAll();
        while (!outbox.isClosed() && (isRefused() || !gate.isOpen())) {
            outbox.pause(GATE_LOOK);
        }
    }

    private boolean buildNext() {
        int attempts = 0;
        while (!outbox.isClosed()) {
            try {
                generation = build();
                if (attempts > 0) {
                    LOG.info("{}: a producer is built again", settings.displayName());
                }
                return true;
            } catch (RuntimeException e) {
                if (attempts == 0) {
                    LOG.warn("no producer, tried again and again: {}", e.getMessage());
                }
                outbox.pause(backoff.delay(++attempts));
            }
        }
        return false;
    }

    /** A topic takes less than a batch, and its settings can't be read, or others filled it up. */
    private void shrinkBatches() {
        int smaller = Math.max(SMALLEST_BATCH, batchSize / 4);
        generation.retire();
        putBack("a broker refuses batches as too large; they are of " + smaller + " bytes now");
        batchSize = smaller;
        if (buildNext()) {
            silence.restart();
        }
    }

    /**
     * Goes on without idempotence, which needs a right of its own at old brokers.
     *
     * @return false if it is without it already
     */
    boolean goOnWithoutIdempotence() {
        if (idempotenceDenied) {
            return false;
        }
        idempotenceDenied = true;
        generation.retire();
        putBack("the right to write with idempotence is missing; it goes on without");
        if (buildNext()) {
            silence.restart();
            // So that the links are told.
            outbox.probeAll();
        }
        return true;
    }

    // ---- producer's I/O thread

    private void clusterChanged(ProducerGeneration changed) {
        outbox.control(
                () -> {
                    if (changed == generation) {
                        rebuild("another cluster answers (fail-over)");
                    }
                });
    }

    // ---- housekeeping threads

    /** Looks for silence, for lost connections and refused batches; counts quotas. */
    void housekeep() {
        watchForSilence();
        ProducerGeneration watched = generation;
        Producer<byte[], byte[]> producer = watched.producer();
        if (producer != null) {
            watchForLoss(watched, producer);
            watchForRefusals(watched, producer);
            watchForSplits(watched, producer);
            countThrottling(producer);
        }
    }

    private void watchForSilence() {
        SilenceWatch.Finding finding = outbox.look(silence);
        silence.tell(finding, clock.instant());
        if (finding.rebuild()) {
            giveUp(generation, "no acknowledgement for " + SILENCE.toSeconds() + " s");
        }
    }

    private void watchForLoss(ProducerGeneration watched, Producer<byte[], byte[]> producer) {
        if (connection.isLost(producer, producer::metrics)) {
            giveUp(watched, "no broker can be connected");
        }
    }

    /** Where no topic is sent to, no probe tells. */
    private void watchForRefusals(ProducerGeneration watched, Producer<byte[], byte[]> producer) {
        if (watched.isRetired()) {
            return;
        }
        if (refusals.areMore(producer, producer::metrics)) {
            refusedFor(refusedBackoff.delay(++refusedInARow));
        } else if (watched.clusterId() != null) {
            refusedInARow = 0;
        }
    }

    private void giveUp(ProducerGeneration silent, String reason) {
        ifStill(
                silent,
                () -> {
                    gate.shut();
                    rebuild(reason);
                });
    }

    private void watchForSplits(ProducerGeneration watched, Producer<byte[], byte[]> producer) {
        if (splits.areMany(producer, producer::metrics) && batchSize > SMALLEST_BATCH) {
            ifStill(watched, this::shrinkBatches);
        }
    }

    private void ifStill(ProducerGeneration watched, Runnable change) {
        outbox.control(
                () -> {
                    if (watched == generation && !watched.isRetired()) {
                        change.run();
                    }
                });
    }

    private void countThrottling(Producer<byte[], byte[]> producer) {
        long millis = throttle.more(producer, producer::metrics, clock.millis());
        if (millis == 0) {
            return;
        }
        silence.asksToWait(clock.instant().plusMillis(millis));
        outbox.monitors().forEach(monitor -> monitor.throttled(settings.displayName(), millis));
    }
}
