package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.streamconnect.spi.MetricsRecord;
import java.util.List;

/** Metrics windows as JSON text: an array of objects, with null for what is not known. */
final class MetricsJson {

    private MetricsJson() {}

    static String of(List<MetricsRecord> windows) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (MetricsRecord window : windows) {
            array.addObject()
                    .put("collectionTime", window.collectionTime().toString())
                    .put("collectionIntervalSeconds", window.collectionIntervalSeconds())
                    .put("channelReplication", window.channelReplication())
                    .put("messageCount", window.messageCount())
                    .put("byteCount", window.byteCount())
                    .put("lagMessages", window.lagMessages())
                    .put("source", window.source())
                    .put("destination", window.destination())
                    .put("direction", window.direction())
                    .put("node", window.node())
                    .put("stored", window.stored())
                    .put("retried", window.retried())
                    .put("parked", window.parked())
                    .put("heldBehindKey", window.heldBehindKey())
                    .put("throttleMillis", window.throttleMillis())
                    .put("gapMessages", window.gapMessages())
                    .put("positionEvents", window.positionEvents())
                    .put("assignedPartitions", window.assignedPartitions())
                    .put("totalPartitions", window.totalPartitions())
                    .put("oldestAgeMillis", window.oldestAgeMillis())
                    .put("hoursToLoss", window.hoursToLoss())
                    .put(
                            "lastRetryRun",
                            window.lastRetryRun() == null ? null : window.lastRetryRun().toString())
                    .put("reordered", window.reordered())
                    .put("repeated", window.repeated())
                    .put("drainLimitsHit", window.drainLimitsHit())
                    .put("returned", window.returned());
        }
        return array.toString();
    }
}
