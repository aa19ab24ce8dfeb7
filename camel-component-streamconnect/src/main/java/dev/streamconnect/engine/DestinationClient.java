package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The shared producer of one connection, with all that it needs to be relied upon:
 *
 * <ul>
 *   <li>the {@link Outbox} has the shipments that wait or are in flight,
 *   <li>the {@link ShipmentSender} sends them and looks at what becomes of each chunk,
 *   <li>the {@link ProducerSupervisor} builds the producer anew where that is needed,
 *   <li>the {@link DestinationProbe} looks at the topics.
 * </ul>
 *
 * <p>Thread-safe. {@link #register} and {@link #ship} never block; {@link #housekeep} blocks for
 * seconds at most.
 */
final class DestinationClient implements AutoCloseable {

    private final ConnectionSettings settings;
    private final Duration deliveryLimit;
    private final Clock clock;
    private final SlowTopics slowTopics = new SlowTopics();
    private final Outbox outbox;
    private final ProducerSupervisor supervisor;
    private final ShipmentSender sender;
    private final DestinationProbe probe;

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
                (generation, batchSize, plain) ->
                        KafkaClients.producer(
                                plain ? settings.withoutIdempotence() : settings,
                                clientId,
                                generation,
                                batchSize),
                new TopicProbe(settings, clientId + "-probe", Duration.ofSeconds(6), gate));
    }

    /** With producers and a probe of the caller's, which this client closes. */
    DestinationClient(
            ConnectionSettings settings,
            String clientId,
            Clock clock,
            OutageGate gate,
            ProducerFactory producers,
            TopicProbe topics) {
        this.settings = settings;
        this.clock = clock;
        Map<String, Object> config = KafkaClients.producerConfig(settings, clientId);
        this.deliveryLimit =
                Duration.ofMillis(number(config, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG));
        long memory = number(config, ProducerConfig.BUFFER_MEMORY_CONFIG);
        int batchSize = (int) number(config, ProducerConfig.BATCH_SIZE_CONFIG);
        this.outbox = new Outbox(settings.displayName(), memory * 3 / 4, clock);
        this.supervisor =
                new ProducerSupervisor(
                        settings, clock, gate, outbox, producers, batchSize, this::attemptDone);
        boolean compressed =
                !"none"
                        .equals(
                                String.valueOf(
                                        config.getOrDefault(
                                                ProducerConfig.COMPRESSION_TYPE_CONFIG, "none")));
        this.sender = new ShipmentSender(settings, clientId, clock, outbox, supervisor, compressed);
        this.probe = new DestinationProbe(topics, outbox, supervisor, settings, clock);
        sender.start();
    }

    private static long number(Map<String, Object> config, String name) {
        return Long.parseLong(String.valueOf(config.get(name)));
    }

    private void attemptDone(ShipmentAttempt attempt) {
        sender.attemptDone(attempt);
    }

    /** Sends no faster than others that share the pace let it; to be called before all else. */
    DestinationClient pacedBy(Pace pace) {
        outbox.pacedBy(pace);
        return this;
    }

    /**
     * Lets a topic be probed before anything is sent to it, so that its state is known from the
     * start; never blocks.
     *
     * @param maxMessageBytes see {@link #ownLimit}
     * @param monitor told of problems of the destination
     */
    void register(String topicName, int maxMessageBytes, LinkMonitor monitor) {
        outbox.register(topicName, ownLimit(maxMessageBytes), monitor);
        sender.tellIfEnded(monitor);
    }

    /** What goes into one batch. */
    ChunkSize chunk() {
        return sender.chunk();
    }

    /** Our own rule for what may be sent. */
    SizeLimit ownLimit(int maxMessageBytes) {
        return SizeLimit.own(maxMessageBytes, settings.role());
    }

    /** Takes a shipment; never blocks. Its listener is told of every outcome. */
    void ship(String topicName, int maxMessageBytes, Shipment shipment) {
        outbox.add(topicName, ownLimit(maxMessageBytes), shipment);
    }

    /** Which topics take much longer than the others. */
    SlowTopics slowTopics() {
        return slowTopics;
    }

    /** True if it knows its cluster, and a probe has seen that topic. */
    boolean isReady(String topicName) {
        return supervisor.generation().clusterId() != null && outbox.isOpen(topicName);
    }

    /** True if nothing waits or is in flight. */
    boolean isIdle() {
        return outbox.isIdle();
    }

    /** Tells a link nothing any more; what is here of it comes to its end. */
    void forget(String topicName, LinkMonitor monitor) {
        outbox.forget(topicName, monitor);
    }

    /** Where a topic is, by the last look at it; null while unknown. */
    String clusterId(String topicName) {
        return outbox.clusterId(topicName);
    }

    /** How long a message without a source may wait for its acknowledgement. */
    Duration deliveryLimit() {
        return deliveryLimit;
    }

    /** New TLS material is in effect: hands over to a new producer. Never blocks. */
    void renewed() {
        probe.renew();
        outbox.probeAll();
        sender.handOver("its certificate was renewed");
    }

    /** How often the producer was built anew since the start. */
    int rebuilds() {
        return supervisor.rebuilds();
    }

    /** Probes, expires, supervises; called several times a second by the engine's housekeeping. */
    void housekeep() {
        probe.probe();
        outbox.expire();
        outbox.tellHeldBack();
        supervisor.housekeep();
        slowTopics.look(clock.instant(), outbox::takeAckTimes);
    }

    /** Ends at once and gives back what is left; who wants to settle waits before. */
    @Override
    public void close() {
        outbox.close();
        supervisor.retire();
        probe.close();
        outbox.giveBackAll();
    }
}
