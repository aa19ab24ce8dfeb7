package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.CheckedValues;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.camel.UnknownOptions;
import dev.streamconnect.camel.console.Consoles;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionPolicy;
import dev.streamconnect.engine.RetryPolicy;
import dev.streamconnect.engine.StateTimes;
import dev.streamconnect.preflight.Preflight;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.Secret;
import dev.streamconnect.record.TopicReplication;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordsVersion;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Route;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.LifecycleStrategySupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes {@code replication:} endpoints, holds the records, and has their routes built. Where Hermes
 * is comes from the {@code hermes} component of the same context.
 */
@ManagedResource(description = "Topic replications")
@Component("replication")
public class ReplicationComponent extends ManagedReplications {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicationComponent.class);

    private final RouteClaims claims = new RouteClaims();
    private final BuiltRoutes builtRoutes = new BuiltRoutes(this);
    private final UnreadReplications unread = new UnreadReplications(this, Clock.systemUTC());
    private final RecordsWatch watch = new RecordsWatch(this, Clock.systemUTC());
    private final AbsentRows absentRows = new AbsentRows(this, Clock.systemUTC());
    private final Set<String> stayPaused = ConcurrentHashMap.newKeySet();
    private RecordsLoader loader;
    private TopicReplicationLinks links;
    private RecordsVersion version;
    private Instant loaded;
    private UndeliveredDatabase database;
    private InstanceWriteBack writeBack;

    public ReplicationComponent() {}

    public ReplicationComponent(CamelContext context) {
        super(context);
    }

    @Override
    public PropertyConfigurer getComponentPropertyConfigurer() {
        return CheckedValues.of(super.getComponentPropertyConfigurer());
    }

    @Override
    public PropertyConfigurer getEndpointPropertyConfigurer() {
        return CheckedValues.of(super.getEndpointPropertyConfigurer());
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters)
            throws Exception {
        ReplicationEndpoint endpoint = new ReplicationEndpoint(uri, this, remaining);
        Object operation = parameters.remove("operation");
        if (operation != null) {
            endpoint.setOperation(ReplicationOperation.parse(operation.toString()));
        } else if (remaining.contains("*")) {
            throw new IllegalArgumentException(
                    "id: '"
                            + remaining
                            + "' is a pattern, which goes with an operation; name one topic replication");
        }
        setProperties(endpoint, parameters);
        UnknownOptions.refuse(
                getCamelContext(), "replication", "replication:" + remaining, parameters.keySet());
        return endpoint;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        getCamelContext().addStartupListener(builtRoutes);
        getCamelContext().addLifecycleStrategy(new ContextEvents());
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        // Not at the initialization: camel-main sets the options after it.
        checkBounds();
        openStore();
        Consoles.register(getCamelContext());
        ContextEngine engine = ContextEngine.of(getCamelContext());
        engine.setRoles(roles());
        if (getNode() != null) {
            engine.setNode(getNode());
        }
        engine.setMetrics(
                Duration.ofMillis(getMetricsInterval()), Duration.ofMillis(getMetricsRetention()));
        if (super.hasRecords()
                && !(getCamelContext().getComponent("hermes") instanceof HermesComponent)) {
            LOG.warn("the component hermes is a stub here: no topic replication is copied");
        }
        if (hasRecords()) {
            records();
            if (getServiceNowWriteBack() != ServiceNowWriteBack.NONE) {
                recordsLoader()
                        .instance()
                        .ifPresent(store -> writeBack = new InstanceWriteBack(this, store));
            }
            if (getCamelContext().isStarted() && isRegistered()) {
                builtRoutes.start();
            }
        }
    }

    @Override
    protected void doStop() throws Exception {
        builtRoutes.halt();
        builtRoutes.stop();
        builtRoutes.logLastWindows();
        if (writeBack != null) {
            writeBack.stop();
            writeBack = null;
        }
        watch.reset();
        closeWithContext();
        synchronized (this) {
            loader = null;
            links = null;
            version = null;
        }
        super.doStop();
    }

    /** The engine, which uses the database, stops after the components. */
    private void closeWithContext() {
        if (database != null) {
            ContextEngine.of(getCamelContext()).closeAfter(database);
            database = null;
        }
    }

    /**
     * The valid records that are in effect, read at the first use.
     *
     * @throws IllegalArgumentException if the option is missing or names no file
     * @throws dev.streamconnect.record.RecordsException with all faults
     */
    ReplicationRecords records() {
        return version().records();
    }

    /** The version of the records that is in effect; errors as {@link #records}. */
    synchronized RecordsVersion version() {
        if (version == null) {
            version = recordsLoader().newer(null).orElseThrow();
            loaded = Instant.now();
        }
        return version;
    }

    /** Where other versions come from. */
    synchronized RecordsLoader recordsLoader() {
        if (loader == null) {
            String name = hermes().getConfiguration().getInstance();
            Optional<HermesInstance> instance =
                    name == null
                            ? Optional.empty()
                            : Optional.of(
                                    new HermesInstance(
                                            name, hermes().getConfiguration().getDomain()));
            RecordStore store =
                    isServiceNow()
                            ? RecordsLoader.instance(getCamelContext(), this, instance)
                            : getRecordStore();
            loader = new RecordsLoader(getCamelContext(), getRecords(), store, instance);
        }
        return loader;
    }

    /** Has another version in effect for what is opened from now on. */
    synchronized void use(RecordsVersion next, TopicReplicationLinks nextLinks) {
        version = next;
        links = nextLinks;
        links.customers().retain(next.records().connections());
        loaded = Instant.now();
        stayPaused.removeIf(id -> next.records().topicReplication(id).isEmpty());
    }

    /** Has those of these topic replications that are paused now paused when they open again. */
    void keepPaused(Collection<String> ids) {
        for (String id : ids) {
            ContextEngine.of(getCamelContext())
                    .engine()
                    .link(id)
                    .filter(Link::isPaused)
                    .ifPresent(link -> stayPaused.add(id));
        }
    }

    /** True once for one that was paused when its record changed. */
    boolean staysPaused(String id) {
        return stayPaused.remove(id);
    }

    /** Shows the state of a topic replication that is not open no more. */
    void forget(String id) {
        ContextEngine.of(getCamelContext()).engine().forget(id);
    }

    /** Whether a topic replication gets its route built in this context. */
    boolean builds(TopicReplication replication) {
        return isBuildRoutes() && replication.buildsRoute();
    }

    @Override
    public RecordsStatus recordsStatus() {
        if (!hasRecords()) {
            return null;
        }
        RecordsWatch.Warning warning = watch.warning();
        synchronized (this) {
            return new RecordsStatus(
                    recordsLoader().name(),
                    version().id(),
                    version().changed(),
                    loaded,
                    storeState(),
                    warning == null ? null : warning.text(),
                    warning == null ? null : warning.since());
        }
    }

    private String storeState() {
        String state = recordsLoader().state();
        return writeBack == null ? state : state + "; " + writeBack.state();
    }

    /** What the records stand for at the clusters. */
    synchronized TopicReplicationLinks links() {
        if (links == null) {
            links =
                    new TopicReplicationLinks(
                            records(), hermes().settings(), new CustomerConnections());
        }
        return links;
    }

    /**
     * Checks what can be checked without a network: the records, the options of {@code hermes:},
     * and the stores of the connections that active topic replications use. Does nothing without
     * records.
     *
     * @throws IllegalArgumentException one line: option, reason, mend
     * @throws dev.streamconnect.record.RecordsException with all faults of the records
     */
    public void check() {
        checkBounds();
        openDatabase();
        if (!hasRecords()) {
            return;
        }
        for (TopicReplication replication : records().topicReplications()) {
            if (records().active(replication)) {
                links().link(replication, linkOptions(links(), replication, true));
            }
        }
    }

    /**
     * Looks at addresses, certificates, topics and rights that topic replications need. Takes some
     * seconds, a minute at most; works also before the start.
     *
     * @param id an id or a pattern
     * @param sendsTestMessage true sends a message to each destination topic, which stays there
     * @throws IllegalArgumentException for a mistake in the options, in one line, and if nothing
     *     matches
     * @throws dev.streamconnect.record.RecordsException with all faults of the records
     */
    public PreflightReport preflight(String id, boolean sendsTestMessage) {
        ReplicationRecords all = hasRecords() ? records() : ReplicationRecords.NONE;
        return Preflight.run(
                new PreflightTargets(all, hermes())
                        .of(new OperationTarget(this, id).activeReplications()),
                sendsTestMessage);
    }

    /**
     * Checks that each route reads a topic replication of its own and none that gets a built route.
     *
     * @param readers ids of routes with the topic replications that they read
     * @throws IllegalStateException one line with both routes
     * @throws IllegalArgumentException if there is no such active topic replication
     */
    public void checkReaders(Map<String, String> readers) {
        RouteClaims trial = new RouteClaims();
        readers.forEach((route, id) -> trial.claim(activeReplication(id), route, isBuildRoutes()));
    }

    /**
     * The topic replication of that id.
     *
     * @throws IllegalArgumentException if there is none or it is not active; one line
     */
    TopicReplication activeReplication(String id) {
        ReplicationRecords all = records();
        TopicReplication found = all.topicReplication(id).orElseThrow(() -> unknown(id, all));
        if (!all.active(found)) {
            throw new IllegalArgumentException(
                    "topic replication '"
                            + id
                            + "' is not active; set 'active: true' in its record and in that of its message replication");
        }
        return found;
    }

    LinkOptions linkOptions(TopicReplicationLinks of, TopicReplication replication, boolean batch) {
        LinkOptions defaults = LinkOptions.defaults(batch);
        return new LinkOptions(
                batch,
                defaults.maxOpenDeliveries(),
                getMaxUncommitted(),
                Duration.ofMillis(getCommitInterval()),
                of.maxMessageBytes(replication),
                new StateTimes(
                        Duration.ofMillis(getIdleAfter()),
                        Duration.ofMillis(getStalledAfter()),
                        Duration.ofMillis(getMissingTimeout())),
                Duration.ofMillis(getRouteRetryLimit()),
                Duration.ofMillis(getRetryInitial()),
                Duration.ofMillis(getRetryMax()),
                isDebug(),
                links().pair(replication),
                new PositionPolicy(
                        replication.onGap().orElse(getOnGap()),
                        replication.onRecreated().orElse(getOnRecreated())),
                getOriginHeader());
    }

    /**
     * Needs no database that answers: it may be away now.
     *
     * @throws IllegalStateException if another process has the H2 file
     */
    private void openDatabase() {
        if (getUndeliveredUrl() != null && database == null) {
            database =
                    getUndeliveredUrl().startsWith("jdbc:")
                            ? UndeliveredDatabase.open(
                                    getUndeliveredUrl(),
                                    getUndeliveredUser(),
                                    getUndeliveredPassword() == null
                                            ? null
                                            : Secret.of(getUndeliveredPassword()))
                            : UndeliveredDatabase.embedded(
                                    Path.of(getUndeliveredUrl().replaceFirst("^file:", "")));
        } else if (getUndeliveredDataSource() != null && database == null) {
            database = UndeliveredDatabase.of(getUndeliveredDataSource());
        }
    }

    private void openStore() {
        openDatabase();
        ContextEngine engine = ContextEngine.of(getCamelContext());
        if (database != null) {
            engine.setUndelivered(
                    database.undeliveredStore(
                            new StoreLimits(getUndeliveredMaxRows(), getUndeliveredMaxBytes())),
                    retryPolicy(),
                    getOrdering() == MessageOrdering.KEY);
            engine.setMetricsStore(database.metricsStore());
            engine.setKnownTopics(database.knownTopicStore());
        } else if (getUndeliveredStore() != null) {
            engine.setUndelivered(
                    getUndeliveredStore(), retryPolicy(), getOrdering() == MessageOrdering.KEY);
        }
    }

    private RetryPolicy retryPolicy() {
        return new RetryPolicy(
                Duration.ofMillis(getUndeliveredRetryInitial()),
                Duration.ofMillis(getUndeliveredRetryMax()),
                getUndeliveredMaxAttempts(),
                Duration.ofMillis(getUndeliveredMaxAge()));
    }

    /** States of all topic replications and consumers on this node, by id; never blocks. */
    List<LinkStatus> states() {
        List<LinkStatus> all =
                new ArrayList<>(ContextEngine.of(getCamelContext()).engine().status());
        all.addAll(unread.besides(all));
        all.addAll(absentRows.besides(all));
        all.sort(Comparator.comparing(LinkStatus::id));
        return all;
    }

    @Override
    public List<MessageReplicationStatus> messageReplications() {
        if (!hasRecords()) {
            return List.of();
        }
        String node = ContextEngine.of(getCamelContext()).node();
        return new MessageReplicationStates(records(), states(), node).all();
    }

    /** Brings the built routes in line with the records; those in place are left alone. */
    void reconcile() {
        builtRoutes.reconcile();
    }

    RecordsWatch watch() {
        return watch;
    }

    AbsentRows absentRows() {
        return absentRows;
    }

    BuiltRoutes builtRoutes() {
        return builtRoutes;
    }

    UnreadReplications unread() {
        return unread;
    }

    RouteClaims claims() {
        return claims;
    }

    @Override
    boolean hasRecords() {
        return super.hasRecords() && hasHermes();
    }

    /** False where a stub stands in for it: then there are no topic replications. */
    boolean hasHermes() {
        org.apache.camel.Component present = getCamelContext().hasComponent("hermes");
        return present == null || present instanceof HermesComponent;
    }

    private HermesComponent hermes() {
        return getCamelContext().getComponent("hermes", HermesComponent.class);
    }

    private static IllegalArgumentException unknown(String id, ReplicationRecords all) {
        List<String> known = all.topicReplications().stream().map(TopicReplication::id).toList();
        return new IllegalArgumentException(
                "there is no topic replication '"
                        + id
                        + "' in the records; "
                        + new IdHint(all).of(id, known));
    }

    private boolean isRegistered() {
        return getCamelContext().getComponentNames().stream()
                .anyMatch(name -> getCamelContext().hasComponent(name) == this);
    }

    /**
     * A running context starts a component before it registers it, and only then can routes use it.
     * One that stops does not want routes to come and go.
     */
    private final class ContextEvents extends LifecycleStrategySupport {

        @Override
        public void onContextStopping(CamelContext context) {
            builtRoutes.halt();
        }

        @Override
        public void onRoutesRemove(Collection<Route> routes) {
            routes.forEach(route -> builtRoutes.removing(route.getRouteId()));
        }

        @Override
        public void onComponentAdd(String name, org.apache.camel.Component added) {
            if (added == ReplicationComponent.this && getCamelContext().isStarted()) {
                builtRoutes.start();
            }
        }
    }
}
