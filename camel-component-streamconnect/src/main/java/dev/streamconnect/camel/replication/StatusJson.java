package dev.streamconnect.camel.replication;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import java.util.List;
import java.util.TreeMap;

/** States as JSON text. */
final class StatusJson {

    private StatusJson() {}

    static String of(List<LinkStatus> states) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (LinkStatus status : states) {
            ObjectNode one = array.addObject();
            one.put("id", status.id())
                    .put("state", status.state().name())
                    .put("reason", status.reason())
                    .put("since", text(status.since()))
                    .put("errorSince", text(status.errorSince()))
                    .put("source", status.source())
                    .put("destination", status.destination())
                    .put("assignedPartitions", status.assignedPartitions())
                    .put("totalPartitions", status.totalPartitions())
                    .put("messages", status.messages())
                    .put("bytes", status.bytes())
                    .put("lag", status.lag())
                    .put("reordered", status.reordered())
                    .put("repeated", status.repeated())
                    .put("drainLimitsHit", status.drainLimitsHit())
                    .put("returned", status.returned())
                    .put("notice", status.notice());
            ArrayNode rights = one.putArray("missingRights");
            for (MissingRight missing : status.missingRights()) {
                rights.addObject()
                        .put("side", missing.side())
                        .put("right", missing.right().label())
                        .put("resource", missing.resource())
                        .put("principal", missing.principal())
                        .put("lost", missing.right().lost())
                        .put("mend", missing.mend());
            }
            ArrayNode events = one.putArray("events");
            for (PositionEvent event : status.events()) {
                if (isOrdinary(event)) {
                    continue;
                }
                events.addObject()
                        .put("kind", event.kind().name())
                        .put("topic", event.topic())
                        .put("side", event.side())
                        .put("partition", event.partition())
                        .put("from", event.from())
                        .put("to", event.to())
                        .put("count", event.count())
                        .put("at", event.at().toString())
                        .put("stopped", event.stopped())
                        .put("text", event.text());
            }
        }
        return array.toString();
    }

    /** The first start of a partition that left nothing out: there is one for each. */
    private static boolean isOrdinary(PositionEvent event) {
        return event.kind() == PositionEvent.Kind.START && event.count() == 0;
    }

    static String ofMessageReplications(List<MessageReplicationStatus> states) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (MessageReplicationStatus status : states) {
            ObjectNode one =
                    array.addObject()
                            .put("name", status.name())
                            .put("node", status.node())
                            .put("state", status.state().name())
                            .put("reason", status.reason())
                            .put("since", text(status.since()))
                            .put("errorSince", text(status.errorSince()))
                            .put("topicReplications", status.topicReplications())
                            .put("active", status.active())
                            .put("running", status.running())
                            .put("failed", status.failed());
            ObjectNode counts = one.putObject("states");
            new TreeMap<>(status.states())
                    .forEach((state, count) -> counts.put(state.name(), count));
        }
        return array.toString();
    }

    /**
     * @param status null without records
     */
    static String ofRecords(RecordsStatus status) {
        if (status == null) {
            return "null";
        }
        return JsonNodeFactory.instance
                .objectNode()
                .put("source", status.source())
                .put("version", status.version())
                .put("changed", text(status.changed()))
                .put("loaded", text(status.loaded()))
                .put("store", status.store())
                .put("warning", status.warning())
                .put("warningSince", text(status.warningSince()))
                .toString();
    }

    private static String text(Object value) {
        return value == null ? null : value.toString();
    }
}
