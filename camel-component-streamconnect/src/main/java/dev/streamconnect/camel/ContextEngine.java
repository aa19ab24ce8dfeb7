package dev.streamconnect.camel;

import dev.streamconnect.access.AccessRoles;
import dev.streamconnect.access.Caller;
import dev.streamconnect.engine.EngineSettings;
import dev.streamconnect.engine.HermesRates;
import dev.streamconnect.engine.RetryPolicy;
import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.metrics.MetricsWindows;
import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.MetricsStore;
import dev.streamconnect.spi.UndeliveredStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.camel.CamelContext;
import org.apache.camel.support.service.ServiceSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one engine of a Camel context, made at its first use and closed when the context stops, after
 * its routes. All methods may be called from any thread.
 */
public final class ContextEngine extends ServiceSupport {

    private static final Logger LOG = LoggerFactory.getLogger(ContextEngine.class);
    private static final String POOL = "StreamConnectContinuation";

    private final CamelContext context;
    private volatile AccessRoles roles = AccessRoles.DEFAULT;
    private String node;
    private UndeliveredStore store;
    private RetryPolicy retry = RetryPolicy.DEFAULT;
    private boolean holdsKeys = true;
    private HermesRates rates = HermesRates.NONE;
    private MetricsStore metricsStore;
    private KnownTopicStore knownTopics;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private Duration metricsInterval = MetricsWindows.DEFAULT_INTERVAL;
    private Duration metricsRetention = Duration.ofDays(30);
    private StreamConnectEngine engine;
    private ExecutorService pool;
    private long stopDeadline;
    private boolean stopBegan;
    private boolean ended;

    private ContextEngine(CamelContext context) {
        this.context = context;
    }

    /** The context's own; made if it has none. */
    public static ContextEngine of(CamelContext context) {
        synchronized (context.getCamelContextExtension()) {
            ContextEngine known =
                    context.getCamelContextExtension().getContextPlugin(ContextEngine.class);
            if (known == null) {
                known = new ContextEngine(context);
                context.getCamelContextExtension().addContextPlugin(ContextEngine.class, known);
                try {
                    context.addService(known, true, true);
                } catch (Exception e) {
                    throw new IllegalStateException("the engine cannot be tied to the context", e);
                }
            }
            return known;
        }
    }

    /**
     * Sets where undelivered messages are kept; without effect once the engine is there.
     *
     * @param undelivered null for none
     * @param policy when they are tried again
     * @param holdKeys whether later messages of a key wait behind them
     */
    public synchronized void setUndelivered(
            UndeliveredStore undelivered, RetryPolicy policy, boolean holdKeys) {
        store = undelivered;
        retry = policy;
        holdsKeys = holdKeys;
    }

    /** Sets where metrics windows are kept; without effect once the engine is there. */
    public synchronized void setMetricsStore(MetricsStore windows) {
        metricsStore = windows;
    }

    /** Sets what remembers known topics; without effect once the engine is there. */
    public synchronized void setKnownTopics(KnownTopicStore topics) {
        knownTopics = topics;
    }

    /** Closes it after the engine. */
    public synchronized void closeAfter(AutoCloseable resource) {
        resources.add(resource);
        if (engine == null) {
            closeResources();
        }
    }

    private synchronized void closeResources() {
        for (AutoCloseable resource : resources) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("closing {}: {}", resource.getClass().getSimpleName(), e.getMessage());
            }
        }
        resources.clear();
    }

    /** True if there is an undelivered store. */
    public synchronized boolean hasStore() {
        return store != null;
    }

    /** Sets how fast this node may be toward Hermes; without effect once the engine is there. */
    public synchronized void setRates(HermesRates limits) {
        rates = limits;
    }

    /** Sets who may use operations, where the runtime has users. */
    public void setRoles(AccessRoles wanted) {
        roles = wanted;
    }

    /**
     * Refuses what the user of this thread may not do: for what is not called by a route, whose
     * threads may have inherited the user who started it.
     *
     * @param changes whether it changes something, and does not only read
     * @throws SecurityException in one line
     */
    public void checkThread(String operation, boolean changes) {
        roles.check(operation, changes, Caller.ofThread());
    }

    /** Who may use operations. */
    public AccessRoles roles() {
        return roles;
    }

    /** Names this node; without effect once the engine is there. */
    public synchronized void setNode(String name) {
        this.node = name;
    }

    /**
     * Sets how long a metrics window is and how long the store keeps it; without effect once the
     * engine is there.
     */
    public synchronized void setMetrics(Duration interval, Duration retention) {
        metricsInterval = interval;
        metricsRetention = retention;
    }

    /** Name of this node: the one that was set, or the host's. */
    public synchronized String node() {
        if (node == null) {
            try {
                node = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                node = "localhost";
            }
        }
        return node;
    }

    /**
     * The engine.
     *
     * @throws IllegalStateException after the stop: who looks then, such as a probe, must not bring
     *     it to life again
     */
    public synchronized StreamConnectEngine engine() {
        if (ended) {
            throw new IllegalStateException("the Camel context is stopped");
        }
        if (engine == null) {
            EngineFactory factory = context.getRegistry().findSingleByType(EngineFactory.class);
            engine =
                    (factory == null ? EngineFactory.DEFAULT : factory)
                            .create(
                                    new EngineSettings(
                                            node(),
                                            Clock.systemUTC(),
                                            stopTimeout(),
                                            store,
                                            ownOr(knownTopics, KnownTopicStore.class),
                                            retry,
                                            holdsKeys,
                                            rates));
            measure(engine.metrics());
        }
        return engine;
    }

    /** The registry's where none is set; null if there is none either. */
    private <T> T ownOr(T set, Class<T> type) {
        return set != null ? set : context.getRegistry().findSingleByType(type);
    }

    private void measure(MetricsWindows metrics) {
        metrics.every(metricsInterval);
        MetricsStore windows = ownOr(metricsStore, MetricsStore.class);
        if (windows != null) {
            metrics.keepIn(windows, metricsRetention);
        }
        resources.addAll(MicrometerMeters.bind(context, engine, node()));
    }

    /**
     * Where a route goes on after an acknowledgement, so that it never blocks a Kafka client's
     * thread.
     */
    public synchronized Executor continuations() {
        if (pool == null) {
            pool = context.getExecutorServiceManager().newDefaultThreadPool(this, POOL);
        }
        ExecutorService current = pool;
        return task -> {
            try {
                current.execute(task);
            } catch (RejectedExecutionException e) {
                // The context is stopping: better late on this thread than never.
                task.run();
            }
        };
    }

    /**
     * How long a link may take to close: what is left of one deadline that all share while the
     * context stops.
     */
    public synchronized Duration stopLimit() {
        Duration timeout = stopTimeout();
        if (!context.isStopping()) {
            return timeout;
        }
        if (!stopBegan) {
            stopBegan = true;
            stopDeadline = System.nanoTime() + timeout.toNanos();
        }
        long left = stopDeadline - System.nanoTime();
        return left < 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    /** Less than Camel's own limit, so that links settle before Camel forces routes to end. */
    private Duration stopTimeout() {
        return Duration.of(
                        context.getShutdownStrategy().getTimeout(),
                        context.getShutdownStrategy().getTimeUnit().toChronoUnit())
                .multipliedBy(2)
                .dividedBy(3);
    }

    @Override
    protected synchronized void doStart() {
        ended = false;
    }

    @Override
    protected void doStop() {
        StreamConnectEngine closing;
        ExecutorService draining;
        synchronized (this) {
            closing = engine;
            draining = pool;
            engine = null;
            pool = null;
            stopBegan = false;
            ended = true;
        }
        if (closing != null) {
            closing.close();
        }
        closeResources();
        if (draining != null) {
            context.getExecutorServiceManager().shutdownGraceful(draining, 1000);
        }
    }
}
