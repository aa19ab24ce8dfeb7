package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.UndeliveredStore;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.camel.Producer;

/** What {@code replication:<id or pattern>?operation=…} does. */
public enum ReplicationOperation {
    /** Answers the states of the topic replications on this node. */
    STATUS(false, StatusProducer::new),
    /** Answers closed metrics windows. */
    METRICS(false, MetricsProducer::new),
    /** Answers rows of the undelivered store, without payload. */
    LIST(true, ListProducer::new),
    /** Answers one row of the undelivered store. */
    SHOW(true, ShowProducer::new),
    /** Answers all matching rows of the undelivered store as a stream. */
    EXPORT(true, ExportProducer::new),
    /** Sends undelivered messages again that are due, or the chosen ones. */
    RETRY(true, RetryProducer::new),
    /** Parks undelivered messages. */
    PARK(true, endpoint -> new RowsChangeProducer(endpoint, "parked", UndeliveredStore::park)),
    /** Deletes undelivered messages. */
    DISCARD(
            true,
            endpoint -> new RowsChangeProducer(endpoint, "discarded", UndeliveredStore::discard)),
    /** Stops reading, on this node. */
    PAUSE(false, endpoint -> new SuspensionProducer(endpoint, true)),
    /** Takes up reading, on this node. */
    RESUME(false, endpoint -> new SuspensionProducer(endpoint, false)),
    /** Moves the source position back, on this node. */
    REPLAY(false, ReplayProducer::new),
    /** Looks at addresses, topics and rights. */
    PREFLIGHT(false, PreflightProducer::new);

    private final boolean choosesRows;
    private final Function<ReplicationEndpoint, Producer> producers;

    ReplicationOperation(boolean choosesRows, Function<ReplicationEndpoint, Producer> producers) {
        this.choosesRows = choosesRows;
        this.producers = producers;
    }

    Producer producer(ReplicationEndpoint endpoint) {
        return producers.apply(endpoint);
    }

    /** True if it is for rows of the undelivered store, which selectors choose. */
    boolean choosesRows() {
        return choosesRows;
    }

    /** True if it changes something, and does not only read. */
    boolean changes() {
        return switch (this) {
            case STATUS, METRICS, LIST, SHOW, EXPORT, PREFLIGHT -> false;
            case RETRY, PARK, DISCARD, PAUSE, RESUME, REPLAY -> true;
        };
    }

    /** As it is written in a URI. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads the option.
     *
     * @throws IllegalArgumentException for any other, in one line
     */
    static ReplicationOperation parse(String text) {
        for (ReplicationOperation operation : values()) {
            if (operation.name().equalsIgnoreCase(text)) {
                return operation;
            }
        }
        throw new IllegalArgumentException(
                "operation: '"
                        + text
                        + "' is not available in this version; available: "
                        + Arrays.stream(values())
                                .map(ReplicationOperation::toString)
                                .collect(Collectors.joining(", ")));
    }
}
