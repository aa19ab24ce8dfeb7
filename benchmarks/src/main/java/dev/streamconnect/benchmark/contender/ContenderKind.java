package dev.streamconnect.benchmark.contender;

import java.util.List;
import java.util.stream.Stream;

/** The contenders. */
public enum ContenderKind {
    /** A consumer, a producer and a loop: the limit. */
    BARE("bare loop"),
    /** The built route of this project: a polled batch an exchange. */
    BATCH("replication batch"),
    /** This project with an exchange a message. */
    SINGLE("replication single"),
    /** The same with a filter step that lets all pass. */
    FILTER("replication filter"),
    /** MirrorMaker 2 in dedicated mode. */
    MIRROR("MirrorMaker 2"),
    /** camel-kafka with batching. */
    KAFKA_BATCHING("camel-kafka batching"),
    /** camel-kafka record by record. */
    KAFKA_SINGLE("camel-kafka single"),
    /** No replicator: the reader reads the source. Only where latency is measured. */
    NONE("no replicator");

    /** This project's. */
    public static final List<ContenderKind> OURS = List.of(BATCH, SINGLE, FILTER);

    private final String label;

    ContenderKind(String label) {
        this.label = label;
    }

    /** Its name in results and options. */
    public String label() {
        return label;
    }

    public boolean isOurs() {
        return OURS.contains(this);
    }

    /**
     * @param label as {@link #label()}
     * @throws IllegalArgumentException if there is none; names those that there are
     */
    public static ContenderKind of(String label) {
        return Stream.of(values())
                .filter(kind -> kind.label.equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "no contender \""
                                                + label
                                                + "\"; there are "
                                                + Stream.of(values())
                                                        .map(ContenderKind::label)
                                                        .toList()));
    }

    Contender contender() {
        return switch (this) {
            case BARE -> new BareLoop();
            case BATCH, SINGLE, FILTER -> new ReplicationRoute(this);
            case MIRROR -> new MirrorMakerTwo();
            case KAFKA_BATCHING -> new CamelKafkaRoute(true);
            case KAFKA_SINGLE -> new CamelKafkaRoute(false);
            case NONE -> throw new IllegalStateException("there is none");
        };
    }
}
