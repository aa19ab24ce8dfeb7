package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import dev.streamconnect.spi.RecordsVersion;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.ExtendedStartupListener;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds one route for each active topic replication from the template that its record names, once
 * the context has started, and touches those that another version of the records changes. The
 * route's id is the topic replication's. What cannot be built is logged in one line, leaves the
 * others alone, and is tried again: a host name may resolve later.
 */
final class BuiltRoutes implements ExtendedStartupListener {

    private static final Logger LOG = LoggerFactory.getLogger(BuiltRoutes.class);

    /** Id of the built route that hands out metrics windows. */
    static final String METRICS_ROUTE = "replication-metrics";

    /** Under which the shipped template takes windows. */
    private static final String METRICS_READER = MetricsProducer.readerName("log", "*");

    private static final Logger METRICS_LOG = LoggerFactory.getLogger("dev.streamconnect.metrics");

    /** Id of the built route that sends undelivered messages again. */
    static final String RETRY_ROUTE = "undelivered-retry";

    /** The windows of a moment are there when the route asks for them. */
    private static final long AFTER_WINDOW_MILLIS = 1_000;

    private static final String SHIPPED = "META-INF/streamconnect/templates/";

    /** How long the stop of the context waits for a route that is just being started or stopped. */
    private static final long STOP_SECONDS = 10;

    private final ReplicationComponent component;
    private final TimedRoute metricsRoute;
    private final TimedRoute retryRoute;
    private final Map<String, String> failures = new ConcurrentHashMap<>();
    private final OwnRoutes ownRoutes;
    private final BackgroundTasks tasks;
    private final RouteReload reload;
    private final ReentrantLock changing = new ReentrantLock();
    private volatile boolean done;
    private volatile boolean halted;
    private int told = -1;

    BuiltRoutes(ReplicationComponent component) {
        this.component = component;
        this.ownRoutes = new OwnRoutes(component);
        this.tasks = new BackgroundTasks(component);
        this.reload = new RouteReload(component, System::nanoTime);
        this.metricsRoute =
                new TimedRoute(
                        METRICS_ROUTE,
                        () -> isWanted(component.getMetricsRoute()),
                        this::metricsParameters);
        this.retryRoute =
                new TimedRoute(
                        RETRY_ROUTE,
                        () -> engine().hasStore() && isWanted(component.getRetryRoute()),
                        () -> Map.of("interval", String.valueOf(component.getRetryInterval())));
    }

    @Override
    public void onCamelContextStarted(CamelContext context, boolean alreadyStarted) {
        // Too early: the user's own routes are not started yet. Camel also calls it for later ones.
    }

    @Override
    public void onCamelContextFullyStarted(CamelContext context, boolean alreadyStarted) {
        start();
    }

    /**
     * Builds for the first time, says which active topic replications nobody reads, and begins to
     * watch the records.
     */
    void start() {
        halted = false;
        reconcile();
        done = true;
        tellUnread();
        tasks.start();
    }

    /** Builds what is missing and removes what no record wants any more. Idempotent. */
    void reconcile() {
        changing.lock();
        try {
            build();
        } finally {
            changing.unlock();
        }
    }

    private void build() {
        if (isIdle()) {
            return;
        }
        if (component.isBuildRoutes()) {
            retryRoute.build((ModelCamelContext) component.getCamelContext());
        }
        if (!component.hasRecords()) {
            return;
        }
        ReplicationRecords records = component.records();
        Map<String, TopicReplication> wanted =
                records.topicReplications().stream()
                        .filter(records::active)
                        .filter(component::builds)
                        .collect(
                                Collectors.toMap(TopicReplication::id, replication -> replication));
        ModelCamelContext context = (ModelCamelContext) component.getCamelContext();
        for (String id : component.claims().built()) {
            if (!wanted.containsKey(id)) {
                remove(id);
            }
        }
        ownRoutes.start();
        for (TopicReplication replication : records.topicReplications()) {
            if (!isIdle()
                    && wanted.containsKey(replication.id())
                    && !isThere(context, replication.id())) {
                build(context, replication);
            }
        }
        if (component.isBuildRoutes()) {
            metricsRoute.build(context);
        }
        failures.keySet().retainAll(wanted.keySet());
        done = true;
        tell(wanted.size());
        retryLater(context);
    }

    /**
     * Brings another version of the records into effect.
     *
     * @return false if the context stops or reloads its routes meanwhile
     * @throws IllegalArgumentException if the version can't be used; one line, and nothing is
     *     touched
     */
    boolean change(RecordsVersion version) {
        changing.lock();
        try {
            if (isIdle() || !new RouteChanges(component, this).apply(version)) {
                return false;
            }
            build();
            tasks.countSoon();
            return true;
        } finally {
            changing.unlock();
        }
    }

    private ContextEngine engine() {
        return ContextEngine.of(component.getCamelContext());
    }

    /** Without an option it depends on camel-quartz; without that the component is null. */
    private boolean isWanted(Boolean option) {
        return option == null ? component.getCamelContext().getComponent("quartz") != null : option;
    }

    /**
     * Logs the windows that the stop has closed, in the place of the route, which is stopped
     * itself. What a template of the user's does with them is unknown here.
     */
    void logLastWindows() {
        if (metricsRoute.isShipped()) {
            engine().engine()
                    .metrics()
                    .reader(METRICS_READER, id -> true)
                    .take()
                    .windows()
                    .forEach(window -> METRICS_LOG.info("{}", window));
        }
    }

    private Map<String, Object> metricsParameters() {
        long interval = component.getMetricsInterval();
        Instant now = engine().engine().metrics().time();
        long delay = interval - Math.floorMod(now.toEpochMilli(), interval) + AFTER_WINDOW_MILLIS;
        return Map.of("interval", String.valueOf(interval), "delay", String.valueOf(delay));
    }

    /** Camel's own list of routes was written before these were there. */
    private void tell(int wanted) {
        int built = wanted - failures.size();
        if (built != told && wanted > 0) {
            told = built;
            LOG.info("{} of {} routes are built from the replication records", built, wanted);
        }
    }

    private void tellUnread() {
        List<LinkStatus> unread =
                component
                        .unread()
                        .besides(ContextEngine.of(component.getCamelContext()).engine().status());
        for (LinkStatus status : unread) {
            if (!failures.containsKey(status.id())) {
                new LinkLog(LOG, status.id())
                        .warn(
                                "topic replication {} is not copied: {}",
                                status.id(),
                                status.reason());
            }
        }
    }

    /** Why the route of that topic replication is not built; null if it is, or if it needs none. */
    String failure(String id) {
        return failures.get(id);
    }

    /** True once the context has started and the routes have been built for the first time. */
    boolean isDone() {
        return done;
    }

    private void retryLater(CamelContext context) {
        boolean failed = !failures.isEmpty() || ownRoutes.hasFailed();
        if (failed && !halted && !context.isStopping() && !context.isStopped()) {
            tasks.retry(this::reconcile);
        }
    }

    /**
     * Touches no route any more: the context stops them all. Waits for the one that is just being
     * started or stopped, ten seconds at most.
     */
    void halt() {
        halted = true;
        try {
            if (changing.tryLock(STOP_SECONDS, TimeUnit.SECONDS)) {
                changing.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Notes that a route is being removed. If it is a built one and that is not done here, Camel
     * reloads all routes: they are built again when it is through. Called by any thread.
     */
    void removing(String routeId) {
        boolean built =
                component.claims().isBuilt(routeId)
                        || routeId.equals(METRICS_ROUTE)
                        || routeId.equals(RETRY_ROUTE);
        if (built && !halted && !changing.isHeldByCurrentThread() && reload.removed()) {
            tasks.soon(this::afterReload);
        }
    }

    private void afterReload() {
        if (halted) {
            return;
        }
        if (reload.isGoing()) {
            tasks.soon(this::afterReload);
            return;
        }
        // Camel's own list of reloaded routes is without these.
        told = -1;
        reconcile();
    }

    /** True while no route may be touched. */
    private boolean isIdle() {
        return halted || reload.isGoing();
    }

    /** True if it touches no route any more. */
    boolean isHalted() {
        return halted;
    }

    /** Tries nothing again, and looks at the records no more. */
    void stop() {
        tasks.stop();
        reload.clear();
        failures.clear();
        ownRoutes.clear();
        done = false;
        told = -1;
    }

    OwnRoutes ownRoutes() {
        return ownRoutes;
    }

    private boolean isThere(ModelCamelContext context, String id) {
        return component.claims().isBuilt(id) && context.getRoute(id) != null;
    }

    private void build(ModelCamelContext context, TopicReplication replication) {
        String id = replication.id();
        try {
            if (context.getRouteDefinition(id) != null) {
                throw new IllegalStateException(
                        "there is another route of that id; rename that one");
            }
            loadTemplate(context, replication.route());
            component.claims().markBuilt(id);
            context.addRouteFromTemplate(id, replication.route(), new HashMap<>(Map.of("id", id)));
            if (failures.remove(id) != null) {
                new LinkLog(LOG, id).info("topic replication {}: its route is built now", id);
            }
        } catch (Exception e) {
            remove(id);
            failed(id, reason(e));
        }
    }

    void failed(String id, String reason) {
        if (!reason.equals(failures.put(id, reason))) {
            new LinkLog(LOG, id)
                    .error(
                            "topic replication {}: its route is not built, tried again every {} s: {}",
                            id,
                            BackgroundTasks.RETRY_SECONDS,
                            reason);
        }
    }

    /** Stops and removes a built route; does nothing for others. */
    void remove(String id) {
        CamelContext context = component.getCamelContext();
        if (!component.claims().isBuilt(id)) {
            return;
        }
        try {
            context.getRouteController().stopRoute(id);
            context.removeRoute(id);
        } catch (Exception e) {
            new LinkLog(LOG, id)
                    .warn("topic replication {}: its route cannot be removed: {}", id, reason(e));
        }
        component.claims().unmarkBuilt(id);
    }

    /**
     * Has the context know a template: its own of that id, or the shipped one.
     *
     * @return true if it is the shipped one and was not known before
     */
    static boolean loadTemplate(ModelCamelContext context, String template) throws Exception {
        if (context.getRouteTemplateDefinition(template) != null) {
            return false;
        }
        PluginHelper.getRoutesLoader(context).loadRoutes(shipped(template));
        return true;
    }

    /** From this jar, whatever loader the context has: in a container it may not see it. */
    private static Resource shipped(String template) throws IOException {
        String path = SHIPPED + template + ".yaml";
        try (InputStream text = BuiltRoutes.class.getClassLoader().getResourceAsStream(path)) {
            if (text == null) {
                throw new IllegalArgumentException(
                        "there is no route template '"
                                + template
                                + "'; declare it, or correct 'route' in the record");
            }
            return ResourceHelper.fromBytes("classpath:" + path, text.readAllBytes());
        }
    }

    /** The innermost message: Camel's wrappers repeat the whole route. */
    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
