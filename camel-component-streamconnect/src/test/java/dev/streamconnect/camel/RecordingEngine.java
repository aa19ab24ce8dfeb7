package dev.streamconnect.camel;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.CertificateStatus;
import dev.streamconnect.engine.Delivery;
import dev.streamconnect.engine.DeliveryHandler;
import dev.streamconnect.engine.Destination;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.engine.OutgoingRecord;
import dev.streamconnect.engine.PositionEvent;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.engine.ReplayFrom;
import dev.streamconnect.engine.ReplayedPartition;
import dev.streamconnect.engine.SendResult;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.engine.SweepCounts;
import dev.streamconnect.metrics.Backlog;
import dev.streamconnect.metrics.LinkTotals;
import dev.streamconnect.metrics.MetricsWindows;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** An engine without Kafka: the test hands out deliveries and looks at what was done with them. */
public final class RecordingEngine implements StreamConnectEngine {

    public volatile int retries;
    public final Map<String, RecordingLink> links = new ConcurrentHashMap<>();
    public final List<Sent> sent = new CopyOnWriteArrayList<>();
    public final List<ConnectionSettings> destinations = new CopyOnWriteArrayList<>();
    public volatile Supplier<CompletableFuture<SendResult>> answer =
            () -> CompletableFuture.completedFuture(SendResult.at("t", 3, 42L, 1234L));
    public volatile int openDestinations;
    public volatile boolean closed;
    public volatile UndeliveredStore store;
    public volatile int anew;
    public final MovedClock clock = new MovedClock();
    public final MetricsWindows metrics = new MetricsWindows("n1", clock);

    /** Ids of the links in the order in which they were opened. */
    public final List<String> opened = new CopyOnWriteArrayList<>();

    /** Told of each link that is to be opened; what it throws keeps it from that. */
    public volatile Consumer<LinkDefinition> beforeOpen = definition -> {};

    /** What it answers for certificates. */
    public volatile List<CertificateStatus> certificates = List.of();

    /** What it answers for states; null for those of its links. */
    public volatile List<LinkStatus> states;

    /** A record that was sent directly. */
    public record Sent(ConnectionSettings to, String topic, OutgoingRecord outgoing) {}

    @Override
    public Link open(LinkDefinition definition, DeliveryHandler handler) {
        beforeOpen.accept(definition);
        RecordingLink link = new RecordingLink(definition, handler);
        RecordingLink other = links.get(definition.id());
        if (other != null && !other.closed) {
            throw new IllegalStateException("link " + definition.id() + " is open already");
        }
        for (RecordingLink each : links.values()) {
            if (!each.closed
                    && each.definition.sourceTopic().equals(definition.sourceTopic())
                    && each.definition.sources().equals(definition.sources())) {
                throw new IllegalStateException(
                        definition.sourceTopic()
                                + " is read already by "
                                + each.id()
                                + ": one consumer for a topic and group");
            }
        }
        links.put(definition.id(), link);
        opened.add(definition.id());
        return link;
    }

    @Override
    public List<CertificateStatus> certificates() {
        return certificates;
    }

    @Override
    public void onCertificates(Consumer<List<CertificateStatus>> listener) {
        listener.accept(certificates);
    }

    @Override
    public Destination destination(
            ConnectionSettings settings,
            String topic,
            int maxMessageBytes,
            boolean keepsUndelivered) {
        destinations.add(settings);
        openDestinations++;
        return new Destination() {
            @Override
            public CompletionStage<SendResult> send(OutgoingRecord outgoing) {
                sent.add(new Sent(settings, topic, outgoing));
                return answer.get();
            }

            @Override
            public void close() {
                openDestinations--;
            }
        };
    }

    @Override
    public Optional<Link> link(String id) {
        return Optional.<Link>ofNullable(links.get(id)).filter(link -> !links.get(id).closed);
    }

    @Override
    public CompletionStage<SweepCounts> retry() {
        retries++;
        return CompletableFuture.completedFuture(new SweepCounts(3, 2, 1));
    }

    @Override
    public CompletionStage<SweepCounts> retryAnew() {
        anew++;
        return retry();
    }

    @Override
    public Optional<UndeliveredStore> undelivered() {
        return Optional.ofNullable(store);
    }

    @Override
    public List<LinkStatus> status() {
        return states != null
                ? states
                : links.values().stream().map(RecordingLink::status).toList();
    }

    @Override
    public void forget(String id) {
        links.computeIfPresent(id, (key, link) -> link.closed ? null : link);
    }

    @Override
    public MetricsWindows metrics() {
        return metrics;
    }

    @Override
    public void close() {
        closed = true;
        metrics.close(Duration.ZERO);
    }

    /** Hands a record to the link's route. */
    public RecordingDelivery deliver(String link, ConsumerRecord<byte[], byte[]> record) {
        return links.get(link).deliver(record);
    }

    /** A link whose deliveries the test makes. */
    public static final class RecordingLink implements Link {

        public final LinkDefinition definition;
        public final DeliveryHandler handler;
        public volatile boolean paused;
        public volatile boolean closed;
        public volatile Duration limit;
        public final List<String> replays = new CopyOnWriteArrayList<>();

        RecordingLink(LinkDefinition definition, DeliveryHandler handler) {
            this.definition = definition;
            this.handler = handler;
        }

        @SafeVarargs
        public final RecordingDelivery deliver(ConsumerRecord<byte[], byte[]>... records) {
            RecordingDelivery delivery = new RecordingDelivery(definition, List.of(records));
            handler.handle(delivery);
            return delivery;
        }

        @Override
        public String id() {
            return definition.id();
        }

        @Override
        public LinkStatus status() {
            return new LinkStatus(
                    id(),
                    paused ? LinkState.PAUSED : LinkState.RUNNING,
                    "",
                    Instant.EPOCH,
                    null,
                    definition.sourceName(),
                    definition.destinationName(),
                    1,
                    4,
                    5,
                    50,
                    0,
                    0,
                    0,
                    0,
                    0,
                    "",
                    List.of(),
                    List.of(
                            new PositionEvent(
                                    PositionEvent.Kind.GAP,
                                    "orders",
                                    null,
                                    2,
                                    20,
                                    60,
                                    40,
                                    Instant.EPOCH,
                                    false)));
        }

        @Override
        public LinkTotals totals() {
            return new LinkTotals(5, 50, 4, 3, 2, 1, 40, 7, 6, Instant.EPOCH, 7, 8, 9, 10);
        }

        @Override
        public Backlog backlog() {
            return new Backlog(0L, 7L, 8.5);
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public boolean isPaused() {
            return paused;
        }

        @Override
        public void resume() {
            paused = false;
        }

        @Override
        public CompletionStage<List<ReplayedPartition>> replay(
                ReplayFrom from, Integer partition, String side) {
            replays.add(from + " " + partition + " " + side);
            return CompletableFuture.completedFuture(
                    List.of(
                            new ReplayedPartition(
                                    side, 0, ReplayedPartition.Outcome.MOVED, 9, 2, ""),
                            new ReplayedPartition(
                                    side,
                                    1,
                                    ReplayedPartition.Outcome.NOT_OWNED,
                                    -1,
                                    -1,
                                    "this node does not read it")));
        }

        @Override
        public void close(Duration within) {
            closed = true;
            limit = within;
        }
    }

    /** A delivery that remembers how it ended. */
    public static final class RecordingDelivery implements Delivery {

        public final List<Object> emitted = new ArrayList<>();
        public volatile boolean completed;
        public volatile Throwable failure;
        public volatile int settlements;
        private final LinkDefinition definition;
        private final RecordBatch batch;

        public RecordingDelivery(
                LinkDefinition definition, List<ConsumerRecord<byte[], byte[]>> records) {
            this.definition = definition;
            this.batch =
                    new RecordBatch(records.get(0).topic(), records.get(0).partition(), records);
        }

        public OutgoingRecord only() {
            return (OutgoingRecord) emitted.get(0);
        }

        public boolean settled() {
            return completed || failure != null;
        }

        @Override
        public String linkId() {
            return definition.id();
        }

        @Override
        public RecordBatch batch() {
            return batch;
        }

        @Override
        public String side() {
            return definition.sources().get(0).role().side();
        }

        @Override
        public synchronized boolean emit(OutgoingRecord outgoing) {
            return !settled() && emitted.add(outgoing);
        }

        @Override
        public synchronized boolean emitBatch(RecordBatch outgoing) {
            return !settled() && emitted.add(outgoing);
        }

        @Override
        public synchronized void complete() {
            settlements++;
            completed = true;
        }

        @Override
        public synchronized void fail(Throwable cause) {
            settlements++;
            failure = cause;
        }
    }
}
