package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.metrics.MetricsWindows;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine over real Kafka clients. A client is shared by all links of the same connection and
 * closed with the last of them; see {@link SharedClients}.
 */
public final class KafkaEngine implements StreamConnectEngine {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaEngine.class);

    /** A run tells what it did after so long, whatever is still under way. */
    private static final int RETRY_SECONDS = 20;

    private static final Duration HOUSEKEEPING = Duration.ofMillis(250);

    /** Two looks take up a new certificate. */
    private static final Duration CERTIFICATES = Duration.ofSeconds(1);

    private static final Duration CERTIFICATE_TRIAL = Duration.ofSeconds(5);

    /** A store that was away is asked again after this. */
    private static final Duration COUNT_AGAIN = Duration.ofSeconds(5);

    /** How long the last windows may take into their store when the engine closes. */
    private static final Duration METRICS_LIMIT = Duration.ofSeconds(3);

    /** How long the last notes of positions may take into theirs. */
    private static final Duration KNOWN_LIMIT = Duration.ofSeconds(3);

    private final String node;
    private final Clock clock;
    private final Duration stopLimit;
    private final EngineThreads threads = new EngineThreads();
    private final Undelivered undelivered;
    private final StoreOutage storeOutage;
    private final KnownTopics known;
    private final String owner = UUID.randomUUID().toString();
    private final Map<String, DirectUndelivered> keepers = new LinkedHashMap<>();
    private final SharedClients<SourceClient> sources;
    private final SharedClients<DestinationClient> destinations;
    private final OwnClients ownClients;
    private final CertificateWatch certificates;
    private final MetricsWindows metrics;
    private final Map<String, KafkaLink> links = new ConcurrentHashMap<>();
    private final Map<String, LinkStatus> stopped = new ConcurrentHashMap<>();
    private final AtomicBoolean countStored = new AtomicBoolean();
    private volatile Consumer<List<CertificateStatus>> onCertificates = all -> {};
    private final MissingRights missingRights = new MissingRights();
    private String noticeTold = "";
    private Instant stopBy;
    private CompletableFuture<SweepCounts> retry;

    private KafkaEngine(EngineSettings settings) {
        this.node = settings.node();
        this.clock = settings.clock();
        this.stopLimit = settings.stopLimit();
        this.undelivered =
                settings.store() == null
                        ? null
                        : new Undelivered(
                                settings.store(),
                                settings.retry(),
                                settings.holdsKeys(),
                                threads.store());
        this.storeOutage = new StoreOutage(clock);
        this.known =
                settings.knownTopics() == null
                        ? null
                        : new KnownTopics(settings.knownTopics(), threads.store(), this::later);
        this.metrics = new MetricsWindows(node, clock);
        Pace produced =
                new Pace(
                        "maxProducedBytesPerSecond", settings.rates().produced(), System::nanoTime);
        Pace consumed =
                new Pace(
                        "maxConsumedBytesPerSecond", settings.rates().consumed(), System::nanoTime);
        this.sources =
                new SharedClients<>(
                        connection -> source(connection, consumed),
                        client -> housekeep(client::housekeep));
        this.destinations =
                new SharedClients<>(
                        connection ->
                                new DestinationClient(connection, clientId(connection), clock)
                                        .pacedBy(isHermes(connection) ? produced : Pace.NONE),
                        client -> housekeep(() -> housekeep(client)));
        this.ownClients = new OwnClients(destinations, clock);
        this.certificates =
                new CertificateWatch(
                        CertificateTrial.byAdmin(
                                ("certificate-" + node).replaceAll("[^A-Za-z0-9._-]", "-"),
                                CERTIFICATE_TRIAL),
                        clock);
        repeat(threads.housekeeping(), this::lookAtCertificates, CERTIFICATES);
        // The timer never blocks, so a window ends in time whatever the brokers do.
        repeat(threads.timer(), metrics::tick);
        repeat(threads.timer(), this::countStored);
        repeat(threads.timer(), this::tellNotice);
        repeat(threads.timer(), this::tellMissingRights);
    }

    /** An engine without any client yet; touches no network. */
    public static KafkaEngine create(EngineSettings settings) {
        return new KafkaEngine(settings);
    }

    private SourceClient source(ConnectionSettings connection, Pace pace) {
        String clientId = clientId(connection);
        if (!pace.isOn() || !isHermes(connection)) {
            return new SourceClient(connection, clientId, clock, known);
        }
        Map<String, Object> properties = new HashMap<>(connection.properties());
        // What is fetched at once comes at once, whatever is read of it later.
        properties.putIfAbsent(
                ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                pace.part(ConsumerConfig.DEFAULT_FETCH_MAX_BYTES));
        return new SourceClient(connection.with(properties), clientId, clock, known).pacedBy(pace);
    }

    private static boolean isHermes(ConnectionSettings connection) {
        return connection.role() != ClientRole.CUSTOMER;
    }

    private String clientId(ConnectionSettings settings) {
        String role = settings.role().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        return (settings.cluster() + "-" + role + "-" + node).replaceAll("[^A-Za-z0-9._-]", "-");
    }

    private void housekeep(DestinationClient client) {
        client.housekeep();
        ownClients.look(client, links.values());
    }

    private ScheduledFuture<?> housekeep(Runnable task) {
        return repeat(threads.housekeeping(), task);
    }

    private void lookAtCertificates() {
        List<CertificateWatch.Connected> connected = new ArrayList<>();
        sources.each((settings, client) -> connected.add(connected(settings, client::renewed)));
        destinations.each(
                (settings, client) -> connected.add(connected(settings, client::renewed)));
        certificates.look(connected, links.values());
        onCertificates.accept(certificates.status());
    }

    private static CertificateWatch.Connected connected(
            ConnectionSettings settings, Runnable renewed) {
        return new CertificateWatch.Connected(settings, renewed);
    }

    private static ScheduledFuture<?> repeat(ScheduledExecutorService scheduler, Runnable task) {
        return repeat(scheduler, task, HOUSEKEEPING);
    }

    private static ScheduledFuture<?> repeat(
            ScheduledExecutorService scheduler, Runnable task, Duration pause) {
        Runnable guarded =
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        // An exception would end the schedule without a word.
                        LOG.error("housekeeping failed, going on", e);
                    }
                };
        return scheduler.scheduleWithFixedDelay(
                guarded, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
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
                            undelivered,
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
            countStored.set(true);
            if (definition.destination() != null) {
                metrics.opened(link);
            }
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
        link.monitor().leaving();
        link.closeSources(
                client -> client.unregister(link, remaining(by)), client -> client.close(by));
        link.closeDestination();
        ownClients.ended(link);
        metrics.ended(link);
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
    public Destination destination(
            ConnectionSettings settings,
            String topic,
            int maxMessageBytes,
            boolean keepsUndelivered) {
        SharedClients<DestinationClient>.Lease lease = destinations.lease(settings);
        DirectUndelivered keeper =
                keepsUndelivered && undelivered != null
                        ? keeper(lease.client(), topic, maxMessageBytes)
                        : null;
        return new TopicDestination(lease, topic, maxMessageBytes, clock, keeper);
    }

    /** One for each topic: it stays, since its rows do. */
    private DirectUndelivered keeper(DestinationClient client, String topic, int maxMessageBytes) {
        DirectUndelivered keeper;
        synchronized (keepers) {
            keeper =
                    keepers.computeIfAbsent(
                            topic,
                            name ->
                                    new DirectUndelivered(
                                            name,
                                            undelivered,
                                            clock,
                                            owner,
                                            client.deliveryLimit()));
            keeper.shipper(shipment -> client.ship(topic, maxMessageBytes, shipment));
        }
        keeper.load();
        return keeper;
    }

    @Override
    public CompletionStage<SweepCounts> retry() {
        if (undelivered == null) {
            throw new IllegalStateException("no undelivered store is configured");
        }
        CompletableFuture<SweepCounts> run;
        synchronized (this) {
            if (retry != null && !retry.isDone()) {
                return retry;
            }
            retry = new CompletableFuture<>();
            run = retry;
        }
        run.whenComplete((counts, failure) -> storeOutage.ranInto(failure));
        undelivered.step(run, () -> sweep(run));
        return run;
    }

    @Override
    public CompletionStage<SweepCounts> retryAnew() {
        CompletableFuture<SweepCounts> running;
        synchronized (this) {
            running = retry;
        }
        return running == null || running.isDone()
                ? retry()
                : running.handle((counts, failure) -> counts).thenCompose(counts -> retry());
    }

    /** Asks those who have waiting rows; the others are not troubled. */
    private void sweep(CompletableFuture<SweepCounts> run) {
        Set<MessageOrigin> waiting = new HashSet<>();
        undelivered.store().totals().stream()
                .filter(totals -> totals.waiting() > 0)
                .forEach(totals -> waiting.add(totals.origin()));
        List<CompletableFuture<SweepCounts>> parts = new ArrayList<>();
        List<KafkaLink> open;
        synchronized (this) {
            open = List.copyOf(links.values());
        }
        for (KafkaLink link : open) {
            for (PartitionFlow flow : link.flows()) {
                FlowUndelivered own = flow.undelivered();
                if (own != null && (waiting.contains(own.origin()) || own.holdsAny())) {
                    parts.add(own.sweep());
                }
            }
        }
        List<DirectUndelivered> direct;
        synchronized (keepers) {
            direct = List.copyOf(keepers.values());
        }
        direct.stream()
                .filter(each -> waiting.contains(each.origin()) || each.holdsAny())
                .forEach(each -> parts.add(each.sweep()));
        CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .completeOnTimeout(null, RETRY_SECONDS, TimeUnit.SECONDS)
                .whenComplete(
                        (all, error) ->
                                undelivered.step(
                                        run,
                                        () -> {
                                            tellRetried(open);
                                            if (error == null) {
                                                run.complete(sum(parts));
                                            } else {
                                                run.completeExceptionally(error);
                                            }
                                        }));
    }

    /** Of those that have ended; what waits for an outage to end goes on by itself. */
    private static SweepCounts sum(List<CompletableFuture<SweepCounts>> parts) {
        SweepCounts sum = SweepCounts.NONE;
        for (CompletableFuture<SweepCounts> part : parts) {
            sum = part.isDone() && !part.isCompletedExceptionally() ? sum.plus(part.join()) : sum;
        }
        return sum;
    }

    private void tellRetried(List<KafkaLink> open) {
        List<OriginTotals> totals = new StoredTotals(undelivered.store()).tell(open);
        for (KafkaLink link : open) {
            long behind =
                    totals.stream().filter(link::takes).mapToLong(OriginTotals::behindKey).sum();
            link.monitor().retryRunEnded(behind);
        }
    }

    /** Links that were opened may have messages in the store since an earlier run. */
    private void countStored() {
        if (undelivered == null || !countStored.getAndSet(false)) {
            return;
        }
        List<KafkaLink> open;
        synchronized (this) {
            open = List.copyOf(links.values());
        }
        undelivered.execute(
                () -> {
                    try {
                        new StoredTotals(undelivered.store()).tell(open);
                    } catch (StoreUnavailableException e) {
                        LOG.debug("the undelivered store can't be counted now", e);
                        countStoredAgain();
                    }
                });
    }

    /** One line when the first link has one, and one when none has it any more. */
    private void tellNotice() {
        Optional<String> notice =
                links.values().stream()
                        .map(link -> link.monitor().groupNotice())
                        .filter(text -> !text.isEmpty())
                        .findFirst();
        if (notice.isPresent() && noticeTold.isEmpty()) {
            LOG.warn("{}", notice.get());
        } else if (notice.isEmpty() && !noticeTold.isEmpty()) {
            LOG.info(
                    "the other member has left, and this node has its partitions; over is: {}",
                    noticeTold);
        }
        noticeTold = notice.orElse("");
    }

    private void tellMissingRights() {
        Map<String, List<MissingRight>> all = new HashMap<>();
        links.forEach((id, link) -> all.put(id, link.monitor().missingRights()));
        missingRights.tell(all);
    }

    private void countStoredAgain() {
        later(() -> countStored.set(true), COUNT_AGAIN);
    }

    private void later(Runnable task, Duration delay) {
        try {
            threads.timer().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("the engine is closed", e);
        }
    }

    @Override
    public Optional<UndeliveredStore> undelivered() {
        return Optional.ofNullable(undelivered).map(Undelivered::store);
    }

    @Override
    public Optional<Link> link(String id) {
        return Optional.ofNullable(links.get(id));
    }

    @Override
    public List<LinkStatus> status() {
        // Without the lock: who opens a link holds it while host names are looked up.
        Map<String, LinkStatus> all = new TreeMap<>(stopped);
        links.values().forEach(link -> all.put(link.id(), link.status()));
        return List.copyOf(all.values());
    }

    @Override
    public void forget(String id) {
        stopped.remove(id);
    }

    @Override
    public List<CertificateStatus> certificates() {
        return certificates.status();
    }

    @Override
    public void onCertificates(Consumer<List<CertificateStatus>> listener) {
        onCertificates = listener;
    }

    @Override
    public MetricsWindows metrics() {
        return metrics;
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
        metrics.close(METRICS_LIMIT);
        if (known != null) {
            known.close(KNOWN_LIMIT);
        }
        threads.close();
    }
}
