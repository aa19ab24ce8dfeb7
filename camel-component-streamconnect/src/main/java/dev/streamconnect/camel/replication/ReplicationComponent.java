package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.CheckedNumbers;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.UnknownOptions;
import dev.streamconnect.camel.console.Consoles;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.cluster.HermesInstance;
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
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.LifecycleStrategySupport;

/**
 * Makes {@code replication:} endpoints, holds the records, and has their routes built. Where Hermes
 * is comes from the {@code hermes} component of the same context.
 */
@ManagedResource(description = "Topic replications")
@Component("replication")
public class ReplicationComponent extends ManagedReplications {

    private final RouteClaims claims = new RouteClaims();
    private final BuiltRoutes builtRoutes = new BuiltRoutes(this);
    private final UnreadReplications unread = new UnreadReplications(this, Clock.systemUTC());
    private TopicReplicationLinks links;
    private ReplicationRecords loaded;
    private UndeliveredDatabase database;

    public ReplicationComponent() {}

    public ReplicationComponent(CamelContext context) {
        super(context);
    }

    @Override
    public PropertyConfigurer getComponentPropertyConfigurer() {
        return CheckedNumbers.of(super.getComponentPropertyConfigurer());
    }

    @Override
    public PropertyConfigurer getEndpointPropertyConfigurer() {
        return CheckedNumbers.of(super.getEndpointPropertyConfigurer());
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
        getCamelContext().addLifecycleStrategy(new AddedToRunningContext());
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        // Not at the initialization: camel-main sets the options after it.
        checkBounds();
        openStore();
        Consoles.register(getCamelContext());
        ContextEngine engine = ContextEngine.of(getCamelContext());
        if (getNode() != null) {
            engine.setNode(getNode());
        }
        engine.setMetrics(
                Duration.ofMillis(getMetricsInterval()), Duration.ofMillis(getMetricsRetention()));
        if (getRecords() != null) {
            records();
            if (getCamelContext().isStarted() && isRegistered()) {
                reconcile();
            }
        }
    }

    @Override
    protected void doStop() throws Exception {
        builtRoutes.stop();
        closeWithContext();
        synchronized (this) {
            links = null;
            loaded = null;
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
     * The valid records, read at the first use.
     *
     * @throws IllegalArgumentException if the option is missing or names no file
     * @throws dev.streamconnect.record.RecordsException with all faults
     */
    synchronized ReplicationRecords records() {
        if (loaded == null) {
            String instance = hermes().getConfiguration().getInstance();
            loaded =
                    new RecordsLoader(getCamelContext())
                            .load(
                                    getRecords(),
                                    instance == null
                                            ? Optional.empty()
                                            : Optional.of(
                                                    new HermesInstance(
                                                            instance,
                                                            hermes().getConfiguration()
                                                                    .getDomain())));
        }
        return loaded;
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
        if (getRecords() == null) {
            return;
        }
        for (TopicReplication replication : records().topicReplications()) {
            if (records().active(replication)) {
                links().link(replication, linkOptions(replication, true));
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
        ReplicationRecords all = getRecords() == null ? ReplicationRecords.NONE : records();
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

    LinkOptions linkOptions(TopicReplication replication, boolean batch) {
        LinkOptions defaults = LinkOptions.defaults(batch);
        return new LinkOptions(
                batch,
                defaults.maxOpenDeliveries(),
                getMaxUncommitted(),
                Duration.ofMillis(getCommitInterval()),
                links().maxMessageBytes(replication),
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
                        replication.onRecreated().orElse(getOnRecreated())));
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
        all.sort(Comparator.comparing(LinkStatus::id));
        return all;
    }

    @Override
    public List<MessageReplicationStatus> messageReplications() {
        if (getRecords() == null) {
            return List.of();
        }
        String node = ContextEngine.of(getCamelContext()).node();
        return new MessageReplicationStates(records(), states(), node).all();
    }

    /** Brings the built routes in line with the records; those in place are left alone. */
    void reconcile() {
        builtRoutes.reconcile();
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
     */
    private final class AddedToRunningContext extends LifecycleStrategySupport {

        @Override
        public void onComponentAdd(String name, org.apache.camel.Component added) {
            if (added == ReplicationComponent.this && getCamelContext().isStarted()) {
                builtRoutes.start();
            }
        }
    }
}
