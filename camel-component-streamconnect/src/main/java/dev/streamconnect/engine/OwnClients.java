package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a topic replication whose destination is slow from the client that it shares to one of its
 * own, and back when it is well again; see docs/decisions/016.
 *
 * <p>Nothing is lost or put in another order by it: a partition has one shipment with the
 * destination, which ends where it is; the next one leaves from the new client.
 *
 * <p>{@link #look} is called by the housekeeping of each client, so that a link is taken from it
 * while nothing is told of it. Thread-safe.
 */
final class OwnClients {

    private static final Logger LOG = LoggerFactory.getLogger(OwnClients.class);

    /** Of all connections together: each takes three threads and {@link #MEMORY}. */
    static final int MOST = 4;

    private static final long MEMORY = 16L * 1024 * 1024;

    /** Windows in which it has to be well before it goes back: a minute. */
    private static final int WELL = 12;

    /** Doubled each time, so often at most: up to half an hour. */
    private static final int WELL_DOUBLES = 5;

    /** A link for which there is a client of its own. */
    private static final class Stay {
        private final KafkaLink link;
        private final SharedClients<DestinationClient>.Lease lease;
        private int needed = WELL;
        private int windowSeen;
        private int well;
        private boolean leaving;

        private Stay(KafkaLink link, SharedClients<DestinationClient>.Lease lease) {
            this.link = link;
            this.lease = lease;
        }

        private DestinationClient own() {
            return lease.client();
        }
    }

    private final SharedClients<DestinationClient> clients;
    private final Clock clock;
    private final Map<KafkaLink, Stay> stays = new HashMap<>();
    private final Map<KafkaLink, Integer> moves = new HashMap<>();

    OwnClients(SharedClients<DestinationClient> clients, Clock clock) {
        this.clients = clients;
        this.clock = clock;
    }

    /** Looks at the links that send by a client. */
    synchronized void look(DestinationClient client, Collection<KafkaLink> links) {
        for (KafkaLink link : links) {
            Stay stay = stays.get(link);
            if (stay != null && stay.own() == client) {
                lookAtOwn(stay);
            } else if (link.destination() == client) {
                lookAtShared(client, link, stay);
            }
        }
    }

    private void lookAtShared(DestinationClient shared, KafkaLink link, Stay stay) {
        String topic = link.destinationTopic();
        if (!shared.slowTopics().isSlow(topic)) {
            link.monitor().slowDestination("");
            if (stay != null) {
                stay.leaving = true;
            }
        } else if (stay == null) {
            prepare(shared, link);
        } else if (!stay.leaving && stay.own().isReady(topic)) {
            move(shared, stay);
        }
    }

    /** It moves only once the other client has seen its topic: on a slow way that takes time. */
    private void prepare(DestinationClient shared, KafkaLink link) {
        if (stays.size() >= MOST) {
            String why = why(shared, link.destinationTopic());
            if (link.monitor().slowDestination(why + "; " + MOST + " others have their own")) {
                new LinkLog(LOG, link.id())
                        .warn(
                                "Topic replication {}: {}; it stays with its neighbours, since {} others"
                                        + " have clients of their own",
                                link.id(),
                                why,
                                MOST);
            }
            return;
        }
        try {
            SharedClients<DestinationClient>.Lease lease = clients.lease(ownSettings(link));
            if (link.registerAt(lease.client())) {
                stays.put(link, new Stay(link, lease));
            } else {
                lease.release(DestinationClient::close);
            }
        } catch (RuntimeException e) {
            new LinkLog(LOG, link.id())
                    .debug("Topic replication {}: no client of its own", link.id(), e);
        }
    }

    private void move(DestinationClient shared, Stay stay) {
        KafkaLink link = stay.link;
        String why = why(shared, link.destinationTopic());
        if (link.sendBy(stay.own())) {
            int times = moves.merge(link, 1, Integer::sum);
            stay.needed = WELL << Math.min(times - 1, WELL_DOUBLES);
            Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            link.monitor().slowDestination(why + "; it has a client of its own since " + now);
            new LinkLog(LOG, link.id())
                    .info(
                            "Topic replication {}: {}; it has a client of its own now",
                            link.id(),
                            why);
        }
    }

    private static String why(DestinationClient shared, String topic) {
        return "its destination takes "
                + Math.round(shared.slowTopics().millis(topic))
                + " ms to acknowledge where its neighbours take "
                + Math.round(shared.slowTopics().neighbours(topic))
                + " ms";
    }

    private static ConnectionSettings ownSettings(KafkaLink link) {
        ConnectionSettings shared = link.definition().destination();
        Map<String, Object> properties = new HashMap<>(shared.properties());
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, MEMORY);
        return new ConnectionSettings(
                shared.cluster() + " for " + link.id(),
                shared.role(),
                shared.bootstrapServers(),
                shared.groupId(),
                properties);
    }

    private void lookAtOwn(Stay stay) {
        DestinationClient own = stay.own();
        if (stay.leaving) {
            if (own.isIdle()) {
                stays.remove(stay.link);
                own.forget(stay.link.destinationTopic(), stay.link.monitor());
                stay.lease.release(DestinationClient::close);
            }
        } else if (stay.link.destination() == own && isWell(stay)) {
            stay.leaving = true;
            stay.link.sendBy(stay.link.sharedDestination());
            stay.link.monitor().slowDestination("");
            new LinkLog(LOG, stay.link.id())
                    .info(
                            "Topic replication {}: its destination is as fast as its neighbours' again; it"
                                    + " shares their client",
                            stay.link.id());
        }
    }

    /** Looks once a window. Who sends nothing disturbs nobody, and counts as well. */
    private static boolean isWell(Stay stay) {
        SlowTopics seen = stay.own().slowTopics();
        if (seen.windows() != stay.windowSeen) {
            stay.windowSeen = seen.windows();
            String topic = stay.link.destinationTopic();
            double millis = seen.millis(topic);
            double neighbours = stay.link.sharedDestination().slowTopics().neighbours(topic);
            // Where the others send nothing it is not known.
            boolean known = Double.isNaN(millis) || !Double.isNaN(neighbours);
            if (known) {
                stay.well = SlowTopics.isShort(millis, neighbours) ? stay.well + 1 : 0;
            }
        }
        return stay.well >= stay.needed;
    }

    /** A link has left its destination, so its own client ends. */
    void ended(KafkaLink link) {
        Stay stay;
        synchronized (this) {
            moves.remove(link);
            stay = stays.remove(link);
        }
        if (stay != null) {
            stay.lease.release(DestinationClient::close);
        }
    }
}
