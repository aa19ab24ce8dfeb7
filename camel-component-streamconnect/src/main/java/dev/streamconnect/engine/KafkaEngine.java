package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine over real Kafka clients. A client is shared by all links of the same connection and
 * closed with the last of them; see {@link SharedClients}.
 */
public final class KafkaEngine implements StreamConnectEngine {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEngine.class);
    private static final Duration HOUSEKEEPING = Duration.ofMillis(250);

    private final String node;
    private final Clock clock;
    private final Duration stopLimit;
    private final EngineThreads threads = new EngineThreads();
    private final SharedClients<SourceClient> sources;
    private final SharedClients<DestinationClient> destinations;
    private final Map<String, KafkaLink> links = new LinkedHashMap<>();
    private final Map<String, LinkStatus> stopped = new LinkedHashMap<>();
    private Instant stopBy;

    private KafkaEngine(String node, Clock clock, Duration stopLimit) {
        this.node = node;
        this.clock = clock;
        this.stopLimit = stopLimit;
        this.sources =
                new SharedClients<>(
                        settings -> new SourceClient(settings, clientId(settings), clock),
                        client -> housekeep(client::housekeep));
        this.destinations =
                new SharedClients<>(
                        settings -> new DestinationClient(settings, clientId(settings), clock),
                        client -> housekeep(client::housekeep));
    }

    /**
     * An engine without any client yet.
     *
     * @param node name of this process, part of client ids
     * @param stopLimit how long all stops together may wait for what is in flight
     */
    public static KafkaEngine create(String node, Clock clock, Duration stopLimit) {
        return new KafkaEngine(node, clock, stopLimit);
    }

    private String clientId(ConnectionSettings settings) {
        String role = settings.role().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        return (settings.cluster() + "-" + role + "-" + node).replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private ScheduledFuture<?> housekeep(Runnable task) {
        Runnable guarded =
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        // An exception would end the schedule without a word.
                        LOG.error("housekeeping failed, going on", e);
                    }
                };
        return threads.housekeeping()
                .scheduleWithFixedDelay(guarded, 0, HOUSEKEEPING.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public synchronized Link open(LinkDefinition definition, DeliveryHandler handler) {
        if (links.containsKey(definition.id())) {
            throw new IllegalStateException(
                    definition.id()
                            + " is read already in this context; a topic replication has one consumer");
        }
        List<SharedClients<SourceClient>.Lease> leases = new ArrayList<>();
        List<SourceClient> registered = new ArrayList<>();
        KafkaLink link = null;
        SharedClients<DestinationClient>.Lease destination = null;
        try {
            if (definition.destination() != null) {
                destination = destinations.lease(definition.destination());
            }
            link =
                    new KafkaLink(
                            definition,
                            handler,
                            destination == null ? null : destination.client(),
                            threads,
                            clock,
                            this::closeLink);
            link.hold(leases, destination);
            link.registerDestination();
            for (ConnectionSettings source : definition.sources()) {
                SharedClients<SourceClient>.Lease lease = sources.lease(source);
                leases.add(lease);
                lease.client().register(link);
                registered.add(lease.client());
            }
            links.put(definition.id(), link);
            stopped.remove(definition.id());
            return link;
        } catch (RuntimeException e) {
            for (SourceClient client : registered) {
                client.unregister(link, Duration.ZERO);
            }
            leases.forEach(lease -> lease.release(SourceClient::close));
            if (link != null) {
                link.closeDestination();
            } else if (destination != null) {
                destination.release(DestinationClient::close);
            }
            throw e;
        }
    }

    private void closeLink(KafkaLink link, Duration limit) {
        Instant by;
        synchronized (this) {
            if (links.get(link.id()) != link) {
                return;
            }
            links.remove(link.id());
            by = deadline(limit);
        }
        link.closeSources(
                client -> client.unregister(link, remaining(by)), client -> client.close(by));
        link.closeDestination();
        link.monitor().stopped();
        synchronized (this) {
            stopped.put(link.id(), link.status());
        }
    }

    /**
     * Stops that come one after another share one deadline; a stop long after the last one begins a
     * new one.
     */
    private Instant deadline(Duration limit) {
        Instant now = clock.instant();
        if (stopBy == null || now.isAfter(stopBy.plus(stopLimit))) {
            stopBy = now.plus(stopLimit);
        }
        Instant own = now.plus(limit);
        return own.isBefore(stopBy) ? own : stopBy;
    }

    private Duration remaining(Instant by) {
        Duration left = Duration.between(clock.instant(), by);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public Destination destination(ConnectionSettings settings) {
        SharedClients<DestinationClient>.Lease lease = destinations.lease(settings);
        AtomicBoolean closed = new AtomicBoolean();
        Duration limit = lease.client().deliveryLimit();
        return new Destination() {
            @Override
            public CompletionStage<SendResult> send(String topic, OutgoingRecord outgoing) {
                CompletableFuture<SendResult> result = new CompletableFuture<>();
                DirectSend send = new DirectSend(outgoing, clock.instant().plus(limit), result);
                lease.client()
                        .ship(topic, LinkOptions.HERMES_MAX_MESSAGE_BYTES, send.shipment(), null);
                return result;
            }

            @Override
            public void close() {
                if (closed.compareAndSet(false, true)) {
                    lease.release(DestinationClient::close);
                }
            }
        };
    }

    @Override
    public synchronized Optional<Link> link(String id) {
        return Optional.ofNullable(links.get(id));
    }

    @Override
    public synchronized List<LinkStatus> status() {
        List<LinkStatus> all = new ArrayList<>(stopped.values());
        links.values().forEach(link -> all.add(link.status()));
        all.sort(Comparator.comparing(LinkStatus::id));
        return all;
    }

    @Override
    public void close() {
        List<KafkaLink> open;
        synchronized (this) {
            open = List.copyOf(links.values());
        }
        open.forEach(link -> link.flows().forEach(PartitionFlow::stop));
        open.forEach(link -> link.close(stopLimit));
        destinations.closeAll(DestinationClient::close);
        sources.closeAll(SourceClient::close);
        threads.close();
    }
}
