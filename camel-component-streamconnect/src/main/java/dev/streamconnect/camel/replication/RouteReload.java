package dev.streamconnect.camel.replication;

import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.ContextReloadStrategy;
import org.apache.camel.spi.ReloadStrategy;
import org.apache.camel.spi.ResourceReloadStrategy;

/**
 * A reload of all routes by Camel, such as the Camel CLI's with {@code --dev}: routes and templates
 * go, those of files come back, and built ones do not. What is built meanwhile could miss a
 * template of the user's. Thread-safe.
 */
final class RouteReload {

    /** How often to ask whether it is through. */
    static final long LOOK_MILLIS = 200;

    /** Who removes routes without a reload strategy does not say when that is through. */
    private static final long QUIET_NANOS = 10_000_000_000L;

    private final ReplicationComponent component;
    private final LongSupplier nanos;
    private boolean going;
    private long endedBefore;
    private long lastRemoval;

    /**
     * @param nanos a clock such as {@link System#nanoTime}
     */
    RouteReload(ReplicationComponent component, LongSupplier nanos) {
        this.component = component;
        this.nanos = nanos;
    }

    /**
     * Notes that somebody else than the component has removed a built route.
     *
     * @return true if a reload begins with it
     */
    synchronized boolean removed() {
        lastRemoval = nanos.getAsLong();
        if (going) {
            return false;
        }
        going = true;
        endedBefore = ended();
        return true;
    }

    /** True from the first removal until the reload is through. */
    synchronized boolean isGoing() {
        if (going && (ended() != endedBefore || nanos.getAsLong() - lastRemoval > QUIET_NANOS)) {
            going = false;
        }
        return going;
    }

    synchronized void clear() {
        going = false;
    }

    /** Reloads of this context that have ended, well or not. */
    private long ended() {
        CamelContext context = component.getCamelContext();
        return Stream.of(
                        context.hasService(ResourceReloadStrategy.class),
                        context.hasService(ContextReloadStrategy.class))
                .filter(ReloadStrategy.class::isInstance)
                .map(ReloadStrategy.class::cast)
                .mapToLong(strategy -> strategy.getReloadCounter() + strategy.getFailedCounter())
                .sum();
    }
}
