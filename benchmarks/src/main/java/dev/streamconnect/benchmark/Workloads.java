package dev.streamconnect.benchmark;

import static dev.streamconnect.benchmark.contender.ContenderKind.BARE;
import static dev.streamconnect.benchmark.contender.ContenderKind.BATCH;
import static dev.streamconnect.benchmark.contender.ContenderKind.FILTER;
import static dev.streamconnect.benchmark.contender.ContenderKind.KAFKA_BATCHING;
import static dev.streamconnect.benchmark.contender.ContenderKind.KAFKA_SINGLE;
import static dev.streamconnect.benchmark.contender.ContenderKind.MIRROR;
import static dev.streamconnect.benchmark.contender.ContenderKind.NONE;
import static dev.streamconnect.benchmark.contender.ContenderKind.SINGLE;

import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.ContenderKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** All workloads, in the order in which they run. Those of the same traffic stand together. */
final class Workloads {

    /** Several repetitions of all contenders. */
    static final String MAIN = "main";

    /** Other traffic, once. */
    static final String ONCE = "once";

    /** How cost grows, once. */
    static final String GROWTH = "growth";

    private static final List<ContenderKind> ALL =
            List.of(BARE, BATCH, SINGLE, FILTER, MIRROR, KAFKA_BATCHING);
    private static final List<ContenderKind> LIMIT_AND_OURS = List.of(BARE, BATCH);
    private static final Traffic USUAL = new Traffic(512, 4);

    private static final Map<String, String> LATENCY_OPTIONS =
            // Else it waits until it has a whole batch, here for seconds.
            Map.of("kafka.batchingIntervalMs", "5");

    private Workloads() {}

    static List<Workload> all() {
        List<Workload> all = new ArrayList<>(main());
        all.addAll(once());
        all.addAll(growth());
        return all;
    }

    private static List<Workload> main() {
        return List.of(
                Workload.toHermes(
                                "512B",
                                MAIN,
                                "512 bytes, 4 partitions, plain text, settings toward Hermes",
                                USUAL,
                                ALL)
                        .often(),
                Workload.toHermes(
                                "512B-mtls",
                                MAIN,
                                "512 bytes, 4 partitions, mTLS to the destination, settings toward"
                                        + " Hermes",
                                USUAL,
                                ALL)
                        .over(Listener.MTLS)
                        .often(),
                Workload.toHermes(
                                "512B-from",
                                MAIN,
                                "512 bytes, 4 partitions, plain text, settings toward the"
                                        + " customer's Kafka",
                                USUAL,
                                ALL)
                        .fromHermes()
                        .often(),
                Workload.toHermes(
                                "512B-from-mtls",
                                MAIN,
                                "512 bytes, 4 partitions, mTLS to the source, settings toward the"
                                        + " customer's Kafka",
                                USUAL,
                                ALL)
                        .fromHermes()
                        .over(Listener.MTLS)
                        .often(),
                Workload.toHermes(
                                "latency",
                                MAIN,
                                "1,000 records of 512 bytes a second, 4 partitions, plain text,"
                                        + " settings toward Hermes",
                                USUAL,
                                List.of(NONE, BARE, BATCH, SINGLE, FILTER, MIRROR, KAFKA_BATCHING))
                        .asLatency()
                        .often()
                        .with(LATENCY_OPTIONS));
    }

    private static List<Workload> once() {
        return List.of(
                Workload.toHermes(
                        "record-by-record",
                        ONCE,
                        "512 bytes, 4 partitions, plain text: a camel-kafka route without batching",
                        USUAL,
                        List.of(BARE, KAFKA_SINGLE)),
                Workload.toHermes("100B", ONCE, "100 bytes", new Traffic(100, 4), ALL),
                Workload.toHermes("10KB", ONCE, "10,000 bytes", new Traffic(10_000, 4), ALL),
                Workload.toHermes("1MB", ONCE, "1,000,000 bytes", new Traffic(1_000_000, 4), ALL),
                Workload.toHermes(
                        "one-partition",
                        ONCE,
                        "512 bytes, one partition",
                        new Traffic(512, 1),
                        ALL),
                Workload.toHermes(
                                "round-trip-100ms",
                                ONCE,
                                "512 bytes, one partition, 100 ms round trip to the destination",
                                new Traffic(512, 1, 1, 0, 0.25),
                                List.of(BARE, BATCH, SINGLE, MIRROR, KAFKA_BATCHING))
                        .over(Listener.DELAYED),
                Workload.toHermes(
                                "refused-1-percent",
                                ONCE,
                                "512 bytes, 4 partitions; one of a hundred is over the size limit"
                                        + " and goes to an H2 file",
                                new Traffic(512, 1, 4, 1, 1),
                                List.of(BATCH, SINGLE))
                        .with(Map.of("hermes.maxMessageBytes", "1024"))
                        .with(new StoredAtStart(0, false)));
    }

    private static List<Workload> growth() {
        List<Workload> all = new ArrayList<>();
        for (int partitions : new int[] {4, 32, 128}) {
            all.add(
                    Workload.toHermes(
                            "partitions-" + partitions,
                            GROWTH,
                            "512 bytes, " + partitions + " partitions",
                            new Traffic(512, partitions),
                            LIMIT_AND_OURS));
        }
        for (int topics : new int[] {1, 10, 100, 500}) {
            all.add(
                    Workload.toHermes(
                            "replications-" + topics,
                            GROWTH,
                            "512 bytes, "
                                    + topics
                                    + " topic replications"
                                    + (topics == 1 ? " of 4 partitions" : " of one partition each"),
                            new Traffic(512, topics, topics == 1 ? 4 : 1, 0, 1),
                            LIMIT_AND_OURS));
        }
        for (int keys : new int[] {0, 1_000, 1_000_000}) {
            all.add(
                    Workload.toHermes(
                                    "held-keys-" + keys,
                                    GROWTH,
                                    "512 bytes, 4 partitions, while "
                                            + keys
                                            + " other keys wait in an H2 file",
                                    USUAL,
                                    List.of(BATCH))
                            .with(new StoredAtStart(keys, true)));
        }
        for (int rows : new int[] {0, 10_000, 1_000_000}) {
            all.add(
                    Workload.toHermes(
                                    "undelivered-rows-" + rows,
                                    GROWTH,
                                    "512 bytes, 4 partitions, while "
                                            + rows
                                            + " messages without a key wait in an H2 file",
                                    USUAL,
                                    List.of(BATCH))
                            .with(new StoredAtStart(rows, false)));
        }
        return all;
    }

    /**
     * @param wanted names of workloads and groups
     * @throws IllegalArgumentException if there is none of a name; names those that there are
     */
    static List<Workload> of(List<String> wanted) {
        Set<String> unknown = new TreeSet<>(wanted);
        Set<String> known = new TreeSet<>();
        for (Workload workload : all()) {
            known.add(workload.name());
            known.add(workload.group());
        }
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "no workload or group of the name " + unknown + "; there are " + known);
        }
        return all().stream()
                .filter(
                        workload ->
                                wanted.contains(workload.name())
                                        || wanted.contains(workload.group()))
                .toList();
    }
}
