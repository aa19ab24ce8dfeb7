package dev.streamconnect.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The counters of links as Micrometer meters, tagged by replication, direction and node. They go
 * when their link goes, and all of them with {@link #close}. Counters begin at zero with each
 * opening of a link. Needs micrometer-core. Thread-safe.
 */
public final class LinkMeters implements MeasuredLinks, AutoCloseable {

    private static final double SECOND_MILLIS = 1_000;
    private static final double HOUR_SECONDS = 3_600;

    private final MeterRegistry registry;
    private final String node;
    private final MultiGauge absent;
    private final Map<String, Registered> registered = new HashMap<>();
    private boolean closed;

    /** A link with its meters. */
    private record Registered(MeasuredLink link, List<Meter> meters) {}

    /**
     * @param node name of this node in the tag
     */
    public LinkMeters(MeterRegistry registry, String node) {
        this.registry = registry;
        this.node = node;
        this.absent =
                MultiGauge.builder(name("absent"))
                        .description(
                                "Undelivered messages of a topic replication that is not active or not in the records")
                        .register(registry);
    }

    @Override
    public synchronized void absent(Map<String, Long> rows) {
        if (closed) {
            return;
        }
        List<MultiGauge.Row<?>> gauges = new ArrayList<>();
        rows.forEach(
                (id, count) ->
                        gauges.add(
                                MultiGauge.Row.of(
                                        Tags.of("replication", id, "node", node), count)));
        absent.register(gauges, true);
    }

    @Override
    public synchronized void opened(MeasuredLink link) {
        if (closed) {
            return;
        }
        Registered before = registered.get(link.id());
        if (before != null && before.link() == link) {
            return;
        }
        // The registry would answer with the meters of the link before.
        remove(before);
        registered.put(link.id(), new Registered(link, meters(link)));
    }

    @Override
    public synchronized void ended(MeasuredLink link) {
        Registered last = registered.get(link.id());
        if (last != null && last.link() == link) {
            registered.remove(link.id());
            remove(last);
        }
    }

    /** Takes all its meters out of the registry, which may outlive it; no more are put in. */
    @Override
    public synchronized void close() {
        closed = true;
        registered.values().forEach(this::remove);
        registered.clear();
        absent.register(List.of(), true);
    }

    private void remove(Registered gone) {
        if (gone != null) {
            gone.meters().forEach(registry::remove);
        }
    }

    private List<Meter> meters(MeasuredLink link) {
        Tags tags = Tags.of("replication", link.id(), "direction", link.direction(), "node", node);
        List<Meter> meters = new ArrayList<>();
        meters.add(
                counter(
                        link,
                        tags,
                        "messages",
                        null,
                        "Messages that the destination acknowledged",
                        LinkTotals::messages));
        meters.add(
                counter(
                        link,
                        tags,
                        "bytes",
                        "bytes",
                        "Key, value and header bytes of those messages",
                        LinkTotals::bytes));
        meters.add(
                counter(
                        link,
                        tags,
                        "stored",
                        null,
                        "Messages put into the undelivered store",
                        LinkTotals::stored));
        meters.add(
                counter(
                        link,
                        tags,
                        "retried",
                        null,
                        "Stored messages that were delivered",
                        LinkTotals::retried));
        meters.add(
                counter(
                        link,
                        tags,
                        "parked",
                        null,
                        "Stored messages that were parked",
                        LinkTotals::parked));
        meters.add(
                counter(
                        link,
                        tags,
                        "throttled",
                        "seconds",
                        "Time that brokers asked the clients to wait",
                        totals -> totals.throttleMillis() / SECOND_MILLIS));
        meters.add(
                counter(
                        link,
                        tags,
                        "reordered",
                        null,
                        "Messages handed out after a younger one of their key from the other side",
                        LinkTotals::reordered));
        meters.add(
                counter(
                        link,
                        tags,
                        "repeated",
                        null,
                        "Messages that were read from the other side before",
                        LinkTotals::repeated));
        meters.add(
                counter(
                        link,
                        tags,
                        "drain.limits",
                        null,
                        "How often a side was not read to its end in time",
                        LinkTotals::drainLimitsHit));
        meters.add(
                counter(
                        link,
                        tags,
                        "returned",
                        null,
                        "Messages that were left out, since they had come from their destination",
                        LinkTotals::returned));
        meters.add(
                counter(
                        link,
                        tags,
                        "gap.messages",
                        null,
                        "Messages that the source had removed before they were read",
                        LinkTotals::gapMessages));
        meters.add(
                counter(
                        link,
                        tags,
                        "position.events",
                        null,
                        "How often a partition could not be read on at its position",
                        LinkTotals::positionEvents));
        meters.add(
                gauge(
                        link,
                        tags,
                        "partitions.assigned",
                        null,
                        "Source partitions that this node reads",
                        MeasuredLink::assignedPartitions));
        meters.add(
                gauge(
                        link,
                        tags,
                        "partitions",
                        null,
                        "Source partitions that there are",
                        MeasuredLink::totalPartitions));
        meters.add(
                gauge(
                        link,
                        tags,
                        "lag",
                        null,
                        "Messages still to be processed at the source",
                        each -> number(each.backlog().messages())));
        meters.add(
                gauge(
                        link,
                        tags,
                        "held",
                        null,
                        "Messages that wait behind an earlier one of their key",
                        each -> each.counters().totals().heldBehindKey()));
        meters.add(
                gauge(
                        link,
                        tags,
                        "former",
                        null,
                        "Undelivered messages of topics that its record connected earlier",
                        MeasuredLink::formerRows));
        meters.add(
                gauge(
                        link,
                        tags,
                        "oldest.age",
                        "seconds",
                        "Age of the oldest message at the source that is not replicated",
                        each -> number(each.backlog().oldestAgeMillis()) / SECOND_MILLIS));
        meters.add(
                gauge(
                        link,
                        tags,
                        "time.to.loss",
                        "seconds",
                        "Time until the source's retention deletes that message",
                        each -> number(each.backlog().hoursToLoss()) * HOUR_SECONDS));
        meters.add(
                gauge(
                        link,
                        tags,
                        "last.retry.run",
                        "seconds",
                        "When the last retry run ended, since the epoch",
                        each -> seconds(each.counters().totals().lastRetryRun())));
        meters.add(
                gauge(
                        link,
                        tags,
                        "healthy",
                        null,
                        "1, or 0 while the state is FAILED or STALLED",
                        each -> each.healthy() ? 1 : 0));
        meters.add(
                gauge(
                        link,
                        tags,
                        "own.client",
                        null,
                        "1 while its destination is slow and it has a client of its own, else 0",
                        each -> each.hasOwnClient() ? 1 : 0));
        return meters;
    }

    private Meter counter(
            MeasuredLink link,
            Tags tags,
            String name,
            String unit,
            String description,
            Function<LinkTotals, Number> total) {
        return FunctionCounter.builder(
                        name(name),
                        link,
                        each -> total.apply(each.counters().totals()).doubleValue())
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    private Meter gauge(
            MeasuredLink link,
            Tags tags,
            String name,
            String unit,
            String description,
            ToDoubleFunction<MeasuredLink> value) {
        return Gauge.builder(name(name), link, value)
                .tags(tags)
                .baseUnit(unit)
                .description(description)
                .register(registry);
    }

    private static String name(String last) {
        return "streamconnect." + last;
    }

    /** Micrometer's word for unknown is NaN. */
    private static double number(Number value) {
        return value == null ? Double.NaN : value.doubleValue();
    }

    private static double seconds(Instant at) {
        return at == null ? Double.NaN : at.toEpochMilli() / SECOND_MILLIS;
    }
}
