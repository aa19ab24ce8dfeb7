package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import dev.streamconnect.cluster.TlsPortException;
import dev.streamconnect.cluster.UnresolvedHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.acl.AclOperation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shared producer of one connection, with its supervisor.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A shipment is in exactly one place: waiting at its topic, in flight, or given back to its
 *       listener.
 *   <li>In flight it has at most one unacknowledged chunk ({@link ShipmentAttempt}), so its order
 *       survives any failure.
 *   <li>When the producer is built anew (the cluster behind the address changed, a client-fatal
 *       error, silence), what is in flight and unacknowledged is sent again in the order in which
 *       it was shipped.
 *   <li>An error of one record, topic or right never rebuilds the producer, since others share it.
 *   <li>Nothing is sent to a topic before a probe has seen it; a missing or forbidden topic costs
 *       the others nothing.
 * </ul>
 *
 * <p>Threads: {@link #ship} from any thread, never blocks; one sender thread of its own, the only
 * one that may block in the Kafka client; acknowledgements on the producer's I/O thread; {@link
 * #housekeep} from the engine's housekeeping threads.
 */
final class DestinationClient implements AutoCloseable {

    private static final String SENDER_SCOPE = "sender";
    private static final Logger LOG = LoggerFactory.getLogger(DestinationClient.class);

    private static final Duration CONTRACT_AGE = Duration.ofSeconds(60);
    private static final Duration PROBE_RETRY = Duration.ofSeconds(1);

    /** A topic that was never seen may be unknown for so long before it is missing. */
    private static final Duration JUST_CREATED = Duration.ofSeconds(3);

    private static final long ABSORB_LIMIT_MILLIS = 1_000;
    private static final int BATCH_OVERHEAD = 61;
    private static final int SMALLEST_BATCH = 1024;
    private static final Duration GATE_LOOK = Duration.ofMillis(500);
    private static final int SINGLE_COST = 8 * 1024;

    /** Pending without an acknowledgement for so long: the status says so. */
    private static final Duration STALL = Duration.ofSeconds(5);

    /** One connection after another is lost for so long, and nothing heard: there is nobody. */
    private static final Duration LOST = Duration.ofMillis(1_500);

    /** Pending without any acknowledgement for so long: the client is built anew. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final ConnectionSettings settings;
    private final Clock clock;
    private final BiFunction<ClusterResourceListener, Integer, Producer<byte[], byte[]>> producers;
    private final OutageGate gate;
    private final TopicProbe probe;
    private final LostConnection connection;
    private final BatchSplits splits;
    private final Backoff probeBackoff = new Backoff(PROBE_RETRY, Duration.ofSeconds(30));
    private final Backoff rebuildBackoff =
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(20));
    private final long budget;
    private final Duration deliveryLimit;
    private final SilenceWatch silence;
    private final RebuildPacing pacing;
    private final ThrottleTime throttle = ThrottleTime.ofProducer();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Map<String, DestinationTopic> topics = new LinkedHashMap<>();
    private final Map<Shipment, ShipmentAttempt> inFlight = new LinkedHashMap<>();
    private final ArrayDeque<Runnable> controls = new ArrayDeque<>();
    private final Thread sender;
    private ProducerGeneration generation;

    /** Bytes; changed by the sender thread while nothing is in flight. */
    private volatile int batchSize;

    private long inFlightBytes;
    private long acknowledgements;
    private int topicTurn;
    private int rebuilds;
    private volatile boolean closed;

    /** Why nothing is sent any more; null while it is. */
    private volatile Problem ended;

    DestinationClient(ConnectionSettings settings, String clientId, Clock clock) {
        this(settings, clientId, clock, new OutageGate(settings, clock));
    }

    private DestinationClient(
            ConnectionSettings settings, String clientId, Clock clock, OutageGate gate) {
        this(
                settings,
                clientId,
                clock,
                gate,
                (generation, batchSize) ->
                        KafkaClients.producer(settings, clientId, generation, batchSize),
                new TopicProbe(settings, clientId + "-probe", Duration.ofSeconds(6), gate));
    }

    /**
     * With producers and a probe of the caller's, which this client closes.
     *
     * @param producers builds one with batches of a size in bytes
     */
    DestinationClient(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            OutageGate gate,
            BiFunction<ClusterResourceListener, Integer, Producer<byte[], byte[]>> producers,
            TopicProbe probe) {
        this.settings = settings;
        this.clock = clock;
        this.gate = gate;
        this.connection = LostConnection.ofProducer(LOST, clock);
        this.splits = new BatchSplits(clock);
        this.producers = producers;
        this.probe = probe;
        Map<String, Object> config = KafkaClients.producerConfig(settings, clientId);
        this.batchSize =
                Integer.parseInt(String.valueOf(config.get(ProducerConfig.BATCH_SIZE_CONFIG)));
        long memory =
                Long.parseLong(String.valueOf(config.get(ProducerConfig.BUFFER_MEMORY_CONFIG)));
        this.budget = memory * 3 / 4;
        this.deliveryLimit =
                Duration.ofMillis(
                        Long.parseLong(
                                String.valueOf(
                                        config.get(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG))));
        this.silence = new SilenceWatch(settings, STALL, SILENCE);
        this.pacing = new RebuildPacing(settings.displayName(), clock);
        this.generation = first();
        this.sender = new Thread(this::run, "streamconnect-send-" + clientId);
        this.sender.setDaemon(true);
        this.sender.start();
    }

    /**
     * Without a producer as long as no host has an address, or the port speaks TLS unexpectedly.
     */
    private ProducerGeneration first() {
        try {
            return build();
        } catch (UnresolvedHostException | TlsPortException e) {
            controls.add(this::buildNext);
            return new ProducerGeneration(this::attemptDone, this::clusterChanged);
        }
    }

    /**
     * Lets a topic be probed before anything is sent to it, so that its state is known from the
     * start; never blocks.
     *
     * @param monitor told of problems of the destination
     */
    void register(String topicName, int maxMessageBytes, LinkMonitor monitor) {
        lock.lock();
        try {
            DestinationTopic topic = topic(topicName, maxMessageBytes);
            topic.monitors().add(monitor);
            if (topic.gate() == DestinationTopic.Gate.UNKNOWN && topic.doubtSince() == null) {
                topic.doubt(clock.instant());
            } else if (topic.gate() == DestinationTopic.Gate.CLOSED) {
                topic.nextProbe(clock.instant());
            }
        } finally {
            lock.unlock();
        }
        if (ended != null) {
            monitor.problem(SENDER_SCOPE, ended);
        }
    }

    /** Our own rule for what may be sent. */
    SizeLimit ownLimit(int maxMessageBytes) {
        return SizeLimit.own(maxMessageBytes, settings.role());
    }

    private DestinationTopic topic(String name, int maxMessageBytes) {
        return topics.computeIfAbsent(
                name, n -> new DestinationTopic(n, ownLimit(maxMessageBytes)));
    }

    /**
     * Takes a shipment; never blocks. Its listener is told of every outcome.
     *
     * @param monitor told of problems of the destination; null for none
     */
    void ship(String topicName, int maxMessageBytes, Shipment shipment, LinkMonitor monitor) {
        FailureVerdict refused = null;
        lock.lock();
        try {
            DestinationTopic topic = topic(topicName, maxMessageBytes);
            if (monitor != null) {
                topic.monitors().add(monitor);
            }
            if (closed) {
                refused = closedVerdict();
            } else if (topic.gate() == DestinationTopic.Gate.CLOSED
                    && !topic.isProbeDue(clock.instant())) {
                refused = topic.closedBecause();
            } else {
                if (topic.gate() != DestinationTopic.Gate.OPEN && topic.doubtSince() == null) {
                    topic.doubt(clock.instant());
                }
                topic.waiting().add(shipment);
                work.signal();
            }
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            shipment.lastError(null);
            shipment.listener().failed(shipment, refused);
        }
    }

    /** Forgets a link that is closed. */
    void forget(String topicName, LinkMonitor monitor) {
        lock.lock();
        try {
            DestinationTopic topic = topics.get(topicName);
            if (topic != null) {
                topic.monitors().remove(monitor);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How long a message without a source may wait for its acknowledgement. */
    Duration deliveryLimit() {
        return deliveryLimit;
    }

    /** How often the producer was built anew since the start. */
    int rebuilds() {
        return rebuilds;
    }

    // ---- sender thread

    private void run() {
        try {
            takeTurns();
        } catch (Error e) {
            LOG.error("{}: sending ended by an error of the JVM", settings.displayName(), e);
            end(e);
        } finally {
            closed = true;
            // A close in the middle of a rebuild or a send has missed these.
            generation.retire();
            giveBackAll();
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
        Set<LinkMonitor> told = new HashSet<>();
        lock.lock();
        try {
            topics.values().forEach(topic -> told.addAll(topic.monitors()));
        } finally {
            lock.unlock();
        }
        told.forEach(monitor -> monitor.problem(SENDER_SCOPE, ended));
    }

    private void takeTurns() {
        while (!closed) {
            try {
                Runnable control = null;
                Shipment next = null;
                DestinationTopic topic = null;
                lock.lock();
                try {
                    while (!closed
                            && (control = controls.poll()) == null
                            && (topic = nextTopic()) == null) {
                        work.await();
                    }
                    if (control == null && topic != null) {
                        next = topic.waiting().poll();
                    }
                } finally {
                    lock.unlock();
                }
                if (control != null) {
                    control.run();
                } else if (next != null) {
                    send(topic, next);
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

    /** The next open topic in turn that may have one more chunk in flight; under the lock. */
    private DestinationTopic nextTopic() {
        if (inFlightBytes >= budget) {
            return null;
        }
        List<DestinationTopic> all = new ArrayList<>(topics.values());
        for (int i = 0; i < all.size(); i++) {
            DestinationTopic topic = all.get((topicTurn + i) % all.size());
            boolean hasRoom = topic.inFlightBytes() < budget / 2;
            if (topic.gate() == DestinationTopic.Gate.OPEN
                    && hasRoom
                    && !topic.waiting().isEmpty()) {
                topicTurn = (topicTurn + i + 1) % all.size();
                return topic;
            }
        }
        return null;
    }

    private void send(DestinationTopic topic, Shipment shipment) {
        ProducerGeneration current = generation;
        ShipmentAttempt attempt = new ShipmentAttempt(shipment, topic, current);
        FailureVerdict refused = null;
        lock.lock();
        try {
            if (closed) {
                refused = closedVerdict();
            } else if (isExpired(shipment, clock.instant())) {
                refused = expiredVerdict();
            } else {
                refused = shipment.heldBack();
            }
            if (refused != null) {
                leaveFlight(topic, shipment);
            } else if (inFlight.put(shipment, attempt) == null) {
                addInFlight(topic, cost(shipment));
            }
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            shipment.listener().failed(shipment, refused);
            return;
        }
        try {
            boolean single = shipment.isSearched();
            attempt.send(current.producer(), batchSize(topic), single, clock.millis());
        } catch (RuntimeException e) {
            if (!current.isRetired()) {
                notSent(topic, shipment, e);
            }
        }
    }

    /** The broker's limit is one of batches, too. */
    private int batchSize(DestinationTopic topic) {
        DestinationContract contract = topic.contract();
        int most = contract.size().bytes() - BATCH_OVERHEAD;
        return contract.readable() && most > 0 ? Math.min(batchSize, most) : batchSize;
    }

    /**
     * The client does not know the topic's partitions: doubt the topic, or every topic if it knows
     * no cluster yet.
     */
    private void notSent(DestinationTopic topic, Shipment shipment, RuntimeException error) {
        LOG.debug("{}: no metadata of {}", settings.displayName(), topic.name(), error);
        lock.lock();
        try {
            leaveFlight(topic, shipment);
            topic.waiting().addFirst(shipment);
            if (generation.clusterId() == null) {
                topics.values().forEach(t -> t.doubt(clock.instant()));
            } else {
                topic.doubt(clock.instant());
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- acknowledgements: producer's I/O thread, or the sender thread where nothing was sent

    private void attemptDone(ShipmentAttempt attempt) {
        if (!attempt.succeeded()) {
            control(() -> evaluate(attempt));
            return;
        }
        Shipment shipment = attempt.shipment();
        DestinationTopic topic = attempt.topic();
        attempt.ackAll();
        int more = shipment.acked() - attempt.start();
        boolean whole = shipment.acked() >= shipment.size();
        boolean refused = !whole && attempt.refusal() != null;
        lock.lock();
        try {
            acknowledgements += more;
            if (whole || refused) {
                leaveFlight(topic, shipment);
                if (refused) {
                    // Somebody may raise the limit: look at the contract again before the retry.
                    topic.nextProbe(clock.instant());
                }
                work.signal();
            } else {
                controls.add(() -> goOn(attempt));
                work.signal();
            }
        } finally {
            lock.unlock();
        }
        if (more > 0) {
            tellProgress(attempt, more);
        }
        if (whole) {
            shipment.listener().delivered(shipment);
        } else if (refused) {
            shipment.listener()
                    .failed(
                            shipment,
                            new FailureVerdict.MessageRefused(
                                    where(topic)
                                            + " refuses the message: "
                                            + attempt.refusal().text(),
                                    attempt.refusal().kind(),
                                    ""));
        }
    }

    /** Sends the next chunk of the shipment; sender thread. */
    private void goOn(ShipmentAttempt done) {
        if (!done.generation().isRetired()) {
            send(done.topic(), done.shipment());
        }
    }

    /** Looks at a chunk of which something failed; sender thread. */
    private void evaluate(ShipmentAttempt attempt) {
        Shipment shipment = attempt.shipment();
        DestinationTopic topic = attempt.topic();
        if (attempt.generation().isRetired()) {
            return;
        }
        attempt.absorbAcks(ABSORB_LIMIT_MILLIS);
        int more = shipment.acked() - attempt.start();
        if (more > 0) {
            countAcknowledged(more);
            tellProgress(attempt, more);
        }
        Exception error = attempt.decidingError();
        shipment.lastError(error);
        FailureVerdict verdict = FailureClassifier.classify(where(topic), error);
        if (verdict instanceof FailureVerdict.ClientFatal) {
            rebuild(verdict.reason());
            return;
        }
        if (verdict instanceof FailureVerdict.MessageRefused && attempt.size() > 1) {
            // The broker refuses a batch as a whole: resend singly to find the record.
            shipment.searchUntil(attempt.end());
            send(topic, shipment);
            return;
        }
        lock.lock();
        try {
            leaveFlight(topic, shipment);
            if (verdict instanceof FailureVerdict.TopicMissing
                    || verdict instanceof FailureVerdict.Unauthorized) {
                topic.close(
                        verdict,
                        clock.instant().plus(probeBackoff.delay(topic.countFailedProbe())));
            } else if (verdict instanceof FailureVerdict.Transient) {
                topic.doubt(clock.instant());
            }
            work.signal();
        } finally {
            lock.unlock();
        }
        shipment.listener().failed(shipment, verdict);
    }

    // ---- supervisor

    private void clusterChanged(ProducerGeneration changed) {
        control(
                () -> {
                    if (changed == generation) {
                        rebuild("another cluster answers (fail-over)");
                    }
                });
    }

    /**
     * Ends the producer, puts what is in flight back in order, builds another; sender thread. In an
     * outage the other is not built before a broker answers.
     */
    private void rebuild(String reason) {
        ProducerGeneration old = generation;
        old.retire();
        putBack(reason);
        pause(pacing.delay());
        awaitAnswer();
        if (!buildNext()) {
            return;
        }
        silence.restart();
        lock.lock();
        try {
            topics.values().forEach(topic -> topic.nextProbe(clock.instant()));
        } finally {
            lock.unlock();
        }
    }

    private void putBack(String reason) {
        Map<Shipment, ShipmentAttempt> again;
        lock.lock();
        try {
            again = new LinkedHashMap<>(inFlight);
            rebuilds++;
        } finally {
            lock.unlock();
        }
        pacing.began(reason, again.size());
        again.values().forEach(attempt -> attempt.absorbAcks(0));
        List<Shipment> whole = new ArrayList<>();
        lock.lock();
        try {
            // Before what waits: the newest first, each to the front, leaves the oldest in front.
            List<Map.Entry<Shipment, ShipmentAttempt>> entries = new ArrayList<>(again.entrySet());
            for (int i = entries.size() - 1; i >= 0; i--) {
                Shipment shipment = entries.get(i).getKey();
                DestinationTopic topic = entries.get(i).getValue().topic();
                leaveFlight(topic, shipment);
                if (shipment.acked() >= shipment.size()) {
                    whole.add(0, shipment);
                } else {
                    topic.waiting().addFirst(shipment);
                }
            }
        } finally {
            lock.unlock();
        }
        again.forEach(
                (shipment, attempt) -> {
                    int more = shipment.acked() - attempt.start();
                    if (more > 0) {
                        tellProgress(attempt, more);
                    }
                });
        whole.forEach(shipment -> shipment.listener().delivered(shipment));
    }

    private void awaitAnswer() {
        if (gate.isOpen()) {
            return;
        }
        lock.lock();
        try {
            // So that the silence is seen, and nothing is sent before a probe has seen the topic.
            topics.values().stream()
                    .filter(topic -> topic.gate() != DestinationTopic.Gate.CLOSED)
                    .forEach(topic -> topic.doubt(clock.instant()));
        } finally {
            lock.unlock();
        }
        while (!closed && !gate.isOpen()) {
            pause(GATE_LOOK);
        }
    }

    /** More than were sent are new where some behind a refused one had been acknowledged before. */
    private static void tellProgress(ShipmentAttempt attempt, int more) {
        Shipment shipment = attempt.shipment();
        if (attempt.lastMetadata() != null) {
            shipment.acknowledged(attempt.lastMetadata());
        }
        int end = attempt.start() + more;
        int sent = more - shipment.keptBetween(attempt.start(), end);
        long bytes =
                sent == attempt.size()
                        ? attempt.bytes()
                        : shipment.bytesBetween(attempt.start(), end);
        shipment.listener().progressed(shipment, sent, bytes);
    }

    private void countAcknowledged(int more) {
        lock.lock();
        try {
            acknowledgements += more;
        } finally {
            lock.unlock();
        }
    }

    private boolean buildNext() {
        int attempts = 0;
        while (!closed) {
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
                pause(rebuildBackoff.delay(++attempts));
            }
        }
        return false;
    }

    private void pause(Duration delay) {
        lock.lock();
        try {
            long nanos = delay.toNanos();
            while (nanos > 0 && !closed) {
                nanos = work.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    private ProducerGeneration build() {
        ProducerGeneration next = new ProducerGeneration(this::attemptDone, this::clusterChanged);
        next.use(producers.apply(next, batchSize));
        return next;
    }

    /**
     * Probes, expires, looks for silence; called several times a second by the engine's
     * housekeeping.
     */
    void housekeep() {
        probe();
        expire();
        watchForSilence();
        watchForLoss();
        watchForSplits();
        countThrottling();
    }

    private void countThrottling() {
        Producer<byte[], byte[]> producer = generation.producer();
        if (producer == null) {
            return;
        }
        long millis = throttle.more(producer, producer::metrics, clock.millis());
        if (millis == 0) {
            return;
        }
        Set<LinkMonitor> told = new HashSet<>();
        lock.lock();
        try {
            topics.values().forEach(topic -> told.addAll(topic.monitors()));
        } finally {
            lock.unlock();
        }
        silence.asksToWait(clock.instant().plusMillis(millis));
        told.forEach(monitor -> monitor.throttled(settings.displayName(), millis));
    }

    private void watchForSilence() {
        SilenceWatch.Finding finding;
        lock.lock();
        try {
            finding =
                    silence.look(
                            inFlight.values(), topics.values(), acknowledgements, clock.instant());
            finding.ask().forEach(topic -> topic.nextProbe(clock.instant()));
        } finally {
            lock.unlock();
        }
        silence.tell(finding, clock.instant());
        if (finding.rebuild()) {
            giveUp(generation, "no acknowledgement for " + SILENCE.toSeconds() + " s");
        }
    }

    private void watchForLoss() {
        ProducerGeneration watched = generation;
        Producer<byte[], byte[]> producer = watched.producer();
        if (producer != null && connection.isLost(producer, producer::metrics)) {
            giveUp(watched, "no broker can be connected");
        }
    }

    private void watchForSplits() {
        ProducerGeneration watched = generation;
        Producer<byte[], byte[]> producer = watched.producer();
        boolean many = producer != null && splits.areMany(producer, producer::metrics);
        if (many && batchSize > SMALLEST_BATCH) {
            control(
                    () -> {
                        if (watched == generation && !watched.isRetired()) {
                            shrinkBatches();
                        }
                    });
        }
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

    private void giveUp(ProducerGeneration silent, String reason) {
        control(
                () -> {
                    if (silent == generation && !silent.isRetired()) {
                        gate.shut();
                        rebuild(reason);
                    }
                });
    }

    /**
     * Gives back what waits longer than it may; only shipments without a source have a deadline.
     */
    private void expire() {
        List<Shipment> expired = new ArrayList<>();
        Instant now = clock.instant();
        lock.lock();
        try {
            for (DestinationTopic topic : topics.values()) {
                topic.waiting()
                        .removeIf(
                                shipment -> {
                                    boolean over = isExpired(shipment, now);
                                    if (over) {
                                        expired.add(shipment);
                                    }
                                    return over;
                                });
            }
        } finally {
            lock.unlock();
        }
        expired.forEach(s -> s.listener().failed(s, expiredVerdict()));
    }

    private static boolean isExpired(Shipment shipment, Instant now) {
        return shipment.deadline() != null && shipment.deadline().isBefore(now);
    }

    private FailureVerdict expiredVerdict() {
        return new FailureVerdict.Transient(
                settings.displayName() + " did not take the message in time");
    }

    private FailureVerdict closedVerdict() {
        return new FailureVerdict.Transient(settings.displayName() + " is closed");
    }

    /** Probes topics whose state is in doubt or old; blocks for seconds at most. */
    private void probe() {
        List<DestinationTopic> due = new ArrayList<>();
        Instant now = clock.instant();
        lock.lock();
        try {
            for (DestinationTopic topic : topics.values()) {
                if (topic.isWanted() && topic.isProbeDue(now)) {
                    topic.nextProbe(now.plus(PROBE_RETRY));
                    due.add(topic);
                }
            }
        } finally {
            lock.unlock();
        }
        if (!due.isEmpty() && !closed) {
            Map<String, TopicProbe.Result> results =
                    probe.describe(
                            due.stream().map(DestinationTopic::name).toList(),
                            AclOperation.WRITE,
                            true);
            due.forEach(topic -> probed(topic, results.get(topic.name())));
        }
    }

    private void probed(DestinationTopic topic, TopicProbe.Result result) {
        List<Shipment> givenBack = new ArrayList<>();
        Instant now = clock.instant();
        boolean opened;
        boolean maybeNew = false;
        lock.lock();
        try {
            // Also where somebody's shipment has brought it from closed into doubt meanwhile.
            opened = result.isUsable() && topic.closedBecause() != null;
            if (result.isUsable()) {
                SizeLimit ownLimit = topic.ownLimit();
                topic.contract(
                        result.config() == null
                                ? DestinationContract.unread(ownLimit)
                                : DestinationContract.of(result.config(), ownLimit));
                topic.open(now.plus(CONTRACT_AGE));
                work.signal();
            } else if (isMaybeNew(topic, result.failure(), now)) {
                topic.nextProbe(now.plus(PROBE_RETRY));
                maybeNew = true;
            } else if (!(result.failure() instanceof FailureVerdict.Transient)) {
                topic.close(
                        result.failure(), now.plus(probeBackoff.delay(topic.countFailedProbe())));
                givenBack.addAll(topic.waiting());
                topic.waiting().clear();
            } else {
                topic.nextProbe(now.plus(PROBE_RETRY));
            }
        } finally {
            lock.unlock();
        }
        if (!(result.failure() instanceof FailureVerdict.Transient)) {
            silence.heard();
        }
        if (maybeNew) {
            return;
        }
        if (result.isUsable()) {
            topic.monitors().forEach(m -> m.clear(DestinationTopic.SCOPE));
            if (opened) {
                topic.monitors().forEach(LinkMonitor::destinationOpened);
            }
        } else if (!(result.failure() instanceof FailureVerdict.Transient)) {
            topic.monitors()
                    .forEach(
                            m ->
                                    m.problem(
                                            DestinationTopic.SCOPE,
                                            Problem.of(result.failure(), now)));
        }
        givenBack.forEach(s -> s.listener().failed(s, result.failure()));
    }

    /** A topic that was just created is unknown for a moment. */
    private static boolean isMaybeNew(DestinationTopic topic, FailureVerdict failure, Instant now) {
        return failure instanceof FailureVerdict.TopicMissing
                && topic.isNeverSeen()
                && topic.doubtSince() != null
                && topic.doubtSince().plus(JUST_CREATED).isAfter(now);
    }

    // ---- helpers

    private void leaveFlight(DestinationTopic topic, Shipment shipment) {
        if (inFlight.remove(shipment) != null) {
            addInFlight(topic, -cost(shipment));
        }
    }

    private void addInFlight(DestinationTopic topic, long bytes) {
        inFlightBytes += bytes;
        topic.addInFlightBytes(bytes);
    }

    /** What a chunk takes of the producer's memory: a whole batch; single messages share one. */
    private long cost(Shipment shipment) {
        return shipment.size() == 1 ? Math.min(SINGLE_COST, batchSize) : batchSize;
    }

    private void control(Runnable control) {
        lock.lock();
        try {
            controls.add(control);
            work.signal();
        } finally {
            lock.unlock();
        }
    }

    private String where(DestinationTopic topic) {
        return "topic " + topic.name() + " at " + settings.displayName();
    }

    /** Ends at once and gives back what is left; who wants to settle waits before. */
    @Override
    public void close() {
        closed = true;
        lock.lock();
        try {
            work.signalAll();
        } finally {
            lock.unlock();
        }
        generation.retire();
        probe.close();
        giveBackAll();
    }

    private void giveBackAll() {
        List<Shipment> left = new ArrayList<>();
        lock.lock();
        try {
            left.addAll(inFlight.keySet());
            inFlight.clear();
            for (DestinationTopic topic : topics.values()) {
                left.addAll(topic.waiting());
                topic.waiting().clear();
            }
        } finally {
            lock.unlock();
        }
        left.forEach(shipment -> shipment.listener().failed(shipment, closedVerdict()));
    }
}
