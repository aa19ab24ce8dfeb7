package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One client for each connection, counted: made by the first lease, closed with the last.
 * Thread-safe; a close that takes its time blocks nobody but its caller.
 *
 * @param <C> the kind of client
 */
final class SharedClients<C> {

    /** A share in a client. */
    final class Lease {
        private final ConnectionSettings settings;
        private final C client;
        private final AtomicBoolean released = new AtomicBoolean();

        private Lease(ConnectionSettings settings, C client) {
            this.settings = settings;
            this.client = client;
        }

        C client() {
            return client;
        }

        /**
         * Gives the share back; the last one closes the client. True if this was the last.
         * Idempotent.
         */
        boolean release(Consumer<C> close) {
            if (!released.compareAndSet(false, true)) {
                return false;
            }
            Shared last = takeIfLast(settings);
            if (last != null) {
                last.housekeeping.cancel(false);
                close.accept(last.client);
            }
            return last != null;
        }

        /** True if nobody else holds a share. */
        boolean isLast() {
            synchronized (SharedClients.this) {
                Shared shared = clients.get(settings);
                return shared != null && shared.leases == 1;
            }
        }
    }

    private final class Shared {
        private final C client;
        private final ScheduledFuture<?> housekeeping;
        private int leases;

        private Shared(C client, ScheduledFuture<?> housekeeping) {
            this.client = client;
            this.housekeeping = housekeeping;
        }
    }

    private final Function<ConnectionSettings, C> factory;
    private final Function<C, ScheduledFuture<?>> housekeeper;
    private final Map<ConnectionSettings, Shared> clients = new HashMap<>();

    SharedClients(
            Function<ConnectionSettings, C> factory, Function<C, ScheduledFuture<?>> housekeeper) {
        this.factory = factory;
        this.housekeeper = housekeeper;
    }

    synchronized Lease lease(ConnectionSettings settings) {
        Shared shared = clients.get(settings);
        if (shared == null) {
            C client = factory.apply(settings);
            shared = new Shared(client, housekeeper.apply(client));
            clients.put(settings, shared);
        }
        shared.leases++;
        return new Lease(settings, shared.client);
    }

    /** Shows all clients with their connections. */
    synchronized void each(BiConsumer<ConnectionSettings, C> look) {
        clients.forEach((settings, shared) -> look.accept(settings, shared.client));
    }

    private synchronized Shared takeIfLast(ConnectionSettings settings) {
        Shared shared = clients.get(settings);
        if (shared != null && --shared.leases == 0) {
            return clients.remove(settings);
        }
        return null;
    }

    /** Closes what is left, whoever holds a share. */
    void closeAll(Consumer<C> close) {
        List<Shared> left;
        synchronized (this) {
            left = new ArrayList<>(clients.values());
            clients.clear();
        }
        for (Shared shared : left) {
            shared.housekeeping.cancel(false);
            close.accept(shared.client);
        }
    }
}
