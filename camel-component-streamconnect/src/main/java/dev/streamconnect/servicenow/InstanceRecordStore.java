package dev.streamconnect.servicenow;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordRule;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordsVersion;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in the tables of a ServiceNow instance.
 *
 * <ul>
 *   <li>The instance is read at an interval; between two reads {@link #newer} answers what the last
 *       one found and does not block.
 *   <li>Rows count when two reads of all tables, one after the other, have found the same, and all
 *       rows that the instance says there are.
 *   <li>The last version that keeps all rules is in a cache. It is used where the first read after
 *       the start fails.
 *   <li>While an outage lasts its fault is that of its first failure.
 * </ul>
 */
public final class InstanceRecordStore implements RecordStore {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceRecordStore.class);

    private final InstanceOptions options;
    private final UnaryOperator<String> resolver;
    private final Optional<HermesInstance> hermes;
    private final SteadyTables tables;
    private final RecordsCache cache;
    private final ReadSchedule schedule;
    private final Clock clock;

    private InstanceRows rows;
    private RecordsVersion live;
    private RecordsVersion cached;
    private RecordsException faults;
    private RecordRule outage;
    private Set<String> unused = Set.of();
    private boolean cacheFailed;
    private volatile String state = "not read yet";
    private volatile Map<String, String> topicRows = Map.of();
    private volatile Map<String, String> replicationRows = Map.of();
    private volatile Overlay names = Overlay.NONE;

    /**
     * @param resolver resolves placeholders in the overlay file
     * @param hermes the instance that topics are checked against
     */
    public InstanceRecordStore(
            InstanceOptions options,
            UnaryOperator<String> resolver,
            Optional<HermesInstance> hermes) {
        this(
                options,
                resolver,
                hermes,
                new TableApi(
                        options.instance(),
                        options.credentials(),
                        options.tls(),
                        options.limit(),
                        Clock.systemUTC()),
                Clock.systemUTC());
    }

    InstanceRecordStore(
            InstanceOptions options,
            UnaryOperator<String> resolver,
            Optional<HermesInstance> hermes,
            TableApi api,
            Clock clock) {
        this.options = options;
        this.resolver = resolver;
        this.hermes = hermes;
        this.tables = new SteadyTables(api, options.instance());
        this.clock = clock;
        this.cache =
                options.cache() == null
                        ? null
                        : new RecordsCache(options.cache(), options.instance());
        this.schedule =
                new ReadSchedule(
                        options.interval(), clock, () -> ThreadLocalRandom.current().nextDouble());
    }

    @Override
    public String name() {
        return options.instance().toString();
    }

    /** Whether the records are as the instance has them or from the cache, and since when. */
    @Override
    public String state() {
        return state;
    }

    @Override
    public synchronized Optional<RecordsVersion> newer(String known) {
        boolean first = live == null && cached == null;
        if (schedule.isDue() || first) {
            read();
        }
        if (faults == null) {
            return Optional.of(live).filter(version -> !version.id().equals(known));
        }
        if (first && known == null) {
            return Optional.of(fromCache());
        }
        throw faults;
    }

    private void read() {
        try {
            Overlay overlay = overlay();
            InstanceRows found = tables.read(overlay, rows);
            ReplicationRecords records = records(found, overlay);
            String id = found.version(overlay);
            Instant now = clock.instant();
            boolean isNew = live == null || !live.id().equals(id);
            if (isNew || cacheFailed) {
                keep(found, now);
            }
            if (isNew) {
                tellUnused(overlay, found);
            }
            live = new RecordsVersion(id, null, records);
            know(found, overlay);
            rows = found;
            faults = null;
            outage = null;
            state = "live, read from the instance at " + now;
            schedule.succeeded();
        } catch (InstanceException e) {
            schedule.failed(e.retryAfter());
            if (faults == null || outage != e.rule()) {
                faults = fault(e.where(), e.rule(), e.getMessage());
            }
            outage = e.rule();
            stale();
        } catch (RecordsException e) {
            schedule.failed(null);
            faults = e;
            outage = null;
            stale();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            schedule.failed(null);
            if (faults == null) {
                faults = fault(host(), RecordRule.INSTANCE_UNREACHABLE, "the read was ended");
            }
        }
    }

    private void know(InstanceRows found, Overlay overlay) {
        Map<String, String> topics = new HashMap<>();
        found.topicReplications().keySet().forEach(row -> topics.put(overlay.idOf(row), row));
        Map<String, String> replications = new HashMap<>();
        found.messageReplications()
                .forEach((row, fields) -> replications.put(fields.get("name"), row));
        topicRows = topics;
        replicationRows = replications;
        names = overlay;
    }

    /** The {@code sys_id} of the record of a topic replication, by its id. */
    public Optional<String> topicReplicationRow(String id) {
        return Optional.ofNullable(topicRows.get(id));
    }

    /** The {@code sys_id} of the record of a message replication, by its name. */
    public Optional<String> messageReplicationRow(String name) {
        return Optional.ofNullable(replicationRows.get(name));
    }

    /** What writes to the same instance, over a connection of its own. */
    public InstanceReports reports() {
        return new InstanceReports(
                new TableApi(
                        options.instance(),
                        options.credentials(),
                        options.tls(),
                        options.limit(),
                        clock),
                table -> names.of(table),
                clock,
                InstanceReports.MOST_WAITING);
    }

    private void stale() {
        if (state.startsWith("live")) {
            state = state.replaceFirst("^live, ", "not live, last ");
        }
    }

    private static RecordsException fault(String where, RecordRule rule, String message) {
        return new RecordsException(List.of(new RecordFault(where, 0, 0, rule, message)));
    }

    private String host() {
        return options.instance().host();
    }

    private Overlay overlay() {
        return options.overlay() == null ? Overlay.NONE : Overlay.read(options.overlay(), resolver);
    }

    private ReplicationRecords records(InstanceRows found, Overlay overlay) {
        return new RowsToRecords(found, overlay, options.instance()).records(hermes);
    }

    private void tellUnused(Overlay overlay, InstanceRows found) {
        Set<String> now =
                overlay.unused(found.connections().keySet(), found.topicReplications().keySet());
        if (!now.isEmpty() && !now.equals(unused)) {
            LOG.warn(
                    "{}: there is no record {} at {}, or nothing uses it",
                    options.overlay(),
                    String.join(", ", now),
                    name());
        }
        unused = now;
    }

    private void keep(InstanceRows found, Instant now) {
        if (cache == null) {
            return;
        }
        try {
            cache.write(found, now);
            cacheFailed = false;
        } catch (IOException e) {
            if (!cacheFailed) {
                LOG.warn(
                        "the cache {} can't be written ({}); without it a start needs the instance",
                        cache.file(),
                        e.toString());
            }
            cacheFailed = true;
        }
    }

    /**
     * @throws RecordsException why there is no version at all
     */
    private RecordsVersion fromCache() {
        if (cache == null) {
            throw faults;
        }
        RecordsCache.Cached found;
        ReplicationRecords records;
        Overlay overlay;
        try {
            found = cache.read().orElse(null);
            if (found == null) {
                throw faults;
            }
            overlay = overlay();
            records = records(found.rows(), overlay);
        } catch (RecordsException e) {
            Set<RecordFault> both = new LinkedHashSet<>(faults.faults());
            both.addAll(e.faults());
            throw new RecordsException(List.copyOf(both));
        }
        cached = new RecordsVersion(found.rows().version(overlay), null, records);
        know(found.rows(), overlay);
        state = "from the cache " + cache.file() + ", read from the instance at " + found.read();
        LOG.warn(
                "replication records {}: this start uses version {} of the cache {}, read from the instance at {}: {}",
                name(),
                cached.id(),
                cache.file(),
                found.read(),
                faults.faults().get(0));
        return cached;
    }
}
