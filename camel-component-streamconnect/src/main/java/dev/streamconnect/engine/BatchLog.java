package dev.streamconnect.engine;

import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each batch of a link, where somebody wants to look closer: topic, partition,
 * offsets, count and what came of it. Never anything of a message itself.
 *
 * <p>Its logger is {@code dev.streamconnect.debug.<id>}. Lines are at DEBUG, so that its level
 * turns them on and off at run time, or at INFO where the link's options ask for them. Off it costs
 * a look at a level for each batch.
 */
final class BatchLog {

    private static final String LOGGER = "dev.streamconnect.debug.";

    private final LinkLog log;
    private final boolean wanted;
    private final String destination;

    BatchLog(LinkDefinition definition) {
        this.log = new LinkLog(LoggerFactory.getLogger(LOGGER + definition.id()), definition.id());
        this.wanted = definition.options().debug();
        this.destination =
                definition.destinationTopic() == null ? "the route" : definition.destinationTopic();
    }

    private boolean isOn() {
        return wanted ? log.logger().isInfoEnabled() : log.logger().isDebugEnabled();
    }

    private void write(String line) {
        if (wanted) {
            log.info(line);
        } else {
            log.debug(line);
        }
    }

    void polled(String source, List<ConsumerRecord<byte[], byte[]>> records) {
        if (isOn() && !records.isEmpty()) {
            write(
                    range(
                                    source,
                                    records.get(0).offset(),
                                    records.get(records.size() - 1).offset(),
                                    records.size())
                            + " read");
        }
    }

    void dropped(String source, RecordBatch batch) {
        if (isOn()) {
            write(
                    range(
                                    source,
                                    batch.records().get(0).offset(),
                                    batch.records().get(batch.size() - 1).offset(),
                                    batch.size())
                            + (destination.equals("the route")
                                    ? " completed by the route"
                                    : " dropped by the route"));
        }
    }

    void sending(String source, Shipment shipment) {
        if (isOn()) {
            write(shipment(source, shipment) + " to " + destination);
        }
    }

    void delivered(String source, Shipment shipment) {
        if (isOn()) {
            write(
                    shipment(source, shipment)
                            + " settled: acknowledged by "
                            + destination
                            + ", or stored");
        }
    }

    void stored(String source, Shipment shipment, int count) {
        if (isOn()) {
            write(shipment(source, shipment) + ": " + count + " stored as undelivered");
        }
    }

    void failed(String source, Shipment shipment, FailureVerdict verdict) {
        if (isOn()) {
            write(
                    shipment(source, shipment)
                            + ": "
                            + shipment.acked()
                            + " settled, then failed: "
                            + verdict.reason());
        }
    }

    void committed(String source, long offset) {
        if (isOn()) {
            write(source + " position " + offset + " committed");
        }
    }

    /** The place of a partition in a line. */
    static String place(String side, TopicPartition partition) {
        return (side == null ? "" : side + " ") + partition;
    }

    private static String shipment(String source, Shipment shipment) {
        return range(
                source, shipment.offset(0), shipment.offset(shipment.size() - 1), shipment.size());
    }

    private static String range(String source, long first, long last, int count) {
        return source + " offsets " + first + " to " + last + ", " + count + " message(s)";
    }
}
