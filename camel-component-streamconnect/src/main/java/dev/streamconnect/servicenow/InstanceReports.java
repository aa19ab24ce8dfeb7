package dev.streamconnect.servicenow;

import dev.streamconnect.spi.MetricsRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes status and metrics records to the instance. What can't be written waits: of a status the
 * last one, of metrics windows a bounded number, of which the oldest leave and are counted. An
 * outage is one line when it begins and one when it ends. One thread calls {@link #runOnce}; all
 * else is for any thread and does not block on the instance.
 */
public final class InstanceReports {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceReports.class);

    /** Windows that may wait: 500 topic replications for ten minutes. */
    static final int MOST_WAITING = 5_000;

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    private final TableApi api;
    private final Function<InstanceTable, TableNames> names;
    private final ReadSchedule schedule;
    private final int mostWaiting;

    private final Map<Key, Map<String, String>> wanted = new LinkedHashMap<>();
    private final ArrayDeque<Map<String, String>> windows = new ArrayDeque<>();
    private final Map<Key, Map<String, String>> written = new HashMap<>();
    private final Map<Key, String> rows = new HashMap<>();
    private long dropped;
    private String outage;

    /** What a status record is about. */
    private record Key(InstanceTable table, String replication, String node) {}

    InstanceReports(
            TableApi api, Function<InstanceTable, TableNames> names, Clock clock, int mostWaiting) {
        this.api = api;
        this.names = names;
        this.mostWaiting = mostWaiting;
        this.schedule =
                new ReadSchedule(INTERVAL, clock, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * How a message replication or topic replication is on a node.
     *
     * @param ofTopic true for a topic replication
     * @param replication {@code sys_id} of its record
     * @param status the state
     * @param error why; empty for none
     * @param errorSince null for none
     */
    public record Status(
            boolean ofTopic,
            String replication,
            String node,
            String status,
            String error,
            Instant errorSince) {}

    /** Has these written; a record whose content is written already is left alone. */
    public void status(Collection<Status> statuses) {
        synchronized (wanted) {
            for (Status each : statuses) {
                String node = plain(each.node());
                Map<String, String> values = new LinkedHashMap<>();
                values.put("replication", each.replication());
                values.put("node", node);
                values.put("status", each.status());
                values.put("error", each.error());
                if (each.ofTopic()) {
                    values.put(
                            "errorSince",
                            each.errorSince() == null ? "" : TIME.format(each.errorSince()));
                }
                wanted.put(
                        new Key(
                                each.ofTopic()
                                        ? InstanceTable.TOPIC_REPLICATION_STATUS
                                        : InstanceTable.MESSAGE_REPLICATION_STATUS,
                                each.replication(),
                                node),
                        values);
            }
        }
    }

    /** A node's name is part of a query. */
    private static String plain(String node) {
        return node.replaceAll("[^A-Za-z0-9._:-]", "_");
    }

    /**
     * Has closed windows written, each once.
     *
     * @param rowOf the {@code sys_id} of a topic replication's record by its id; windows of others
     *     are left out
     */
    public void metrics(
            Collection<MetricsRecord> closed, Function<String, Optional<String>> rowOf) {
        synchronized (wanted) {
            for (MetricsRecord window : closed) {
                rowOf.apply(window.channelReplication())
                        .ifPresent(row -> windows.add(values(window, row)));
            }
            while (windows.size() > mostWaiting) {
                windows.poll();
                dropped++;
            }
        }
    }

    private static Map<String, String> values(MetricsRecord window, String row) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("collectionTime", TIME.format(window.collectionTime()));
        values.put("collectionInterval", String.valueOf(window.collectionIntervalSeconds()));
        values.put("replication", row);
        values.put("messageCount", String.valueOf(window.messageCount()));
        values.put("byteCount", String.valueOf(window.byteCount()));
        values.put(
                "lagMessages",
                window.lagMessages() == null ? "" : String.valueOf(window.lagMessages()));
        values.put("source", window.source());
        values.put("destination", window.destination());
        values.put("direction", window.direction());
        values.put("node", plain(window.node()));
        return values;
    }

    /** Writes what waits, unless it is too early after a failure; throws nothing. */
    public void runOnce() {
        if (!mayCall()) {
            return;
        }
        try {
            writeStatuses();
            writeWindows();
            schedule.succeeded();
            told(null);
        } catch (InstanceException e) {
            schedule.failed(e.retryAfter());
            told(e.where() + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            // An exception would end the schedule without a word.
            schedule.failed(null);
            told(e.toString());
        }
    }

    private boolean mayCall() {
        synchronized (wanted) {
            return outage == null || schedule.isDue();
        }
    }

    private void writeStatuses() throws InstanceException, InterruptedException {
        Map<Key, Map<String, String>> changed;
        synchronized (wanted) {
            changed = new LinkedHashMap<>(wanted);
            wanted.clear();
        }
        for (Map.Entry<Key, Map<String, String>> each : List.copyOf(changed.entrySet())) {
            if (each.getValue().equals(written.get(each.getKey()))) {
                continue;
            }
            try {
                write(each.getKey(), each.getValue());
                written.put(each.getKey(), each.getValue());
            } catch (InstanceException | InterruptedException | RuntimeException e) {
                synchronized (wanted) {
                    changed.forEach(wanted::putIfAbsent);
                }
                throw e;
            }
        }
    }

    private void write(Key key, Map<String, String> values)
            throws InstanceException, InterruptedException {
        TableNames table = names.apply(key.table());
        String row = rows.get(key);
        if (row == null) {
            row = find(table, key);
        }
        if (row != null) {
            try {
                api.update(table, row, values);
                rows.put(key, row);
                return;
            } catch (InstanceException e) {
                if (e.status() != 404) {
                    throw e;
                }
                rows.remove(key);
            }
        }
        rows.put(key, api.create(table, values));
    }

    /** The row of an earlier run of this node. */
    private String find(TableNames table, Key key) throws InstanceException, InterruptedException {
        if (!table.columns().keySet().containsAll(Set.of("replication", "node"))) {
            return null;
        }
        String query =
                table.columns().get("replication")
                        + "="
                        + key.replication()
                        + "^"
                        + table.columns().get("node")
                        + "="
                        + key.node();
        // An instance may leave out a condition that it does not understand.
        for (TableApi.Row row : api.read(table, query).rows()) {
            if (row.cells().get("replication").value().equals(key.replication())
                    && row.cells().get("node").text().equals(key.node())) {
                return row.sysId();
            }
        }
        return null;
    }

    private void writeWindows() throws InstanceException, InterruptedException {
        TableNames table = names.apply(InstanceTable.METRICS);
        while (true) {
            Map<String, String> next;
            synchronized (wanted) {
                next = windows.peek();
            }
            if (next == null) {
                return;
            }
            api.create(table, next);
            synchronized (wanted) {
                // It may have left meanwhile, as the oldest of too many.
                if (windows.peek() == next) {
                    windows.poll();
                }
            }
        }
    }

    private void told(String failure) {
        String before;
        long lost;
        synchronized (wanted) {
            before = outage;
            outage = failure == null ? null : before == null ? failure : before;
            lost = dropped;
        }
        if (failure != null && before == null) {
            LOG.warn(
                    "status and metrics can't be written to the instance, tried again: {}",
                    failure);
        } else if (failure == null && before != null) {
            LOG.info(
                    "status and metrics are written to the instance again; {} metrics records were dropped so far",
                    lost);
        }
    }

    /** One line for people. */
    public String state() {
        synchronized (wanted) {
            return "reports: "
                    + windows.size()
                    + " metrics records wait, "
                    + dropped
                    + " dropped"
                    + (outage == null ? "" : ", not written: " + outage);
        }
    }
}
