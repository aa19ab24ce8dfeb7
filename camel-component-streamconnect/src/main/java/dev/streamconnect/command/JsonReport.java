package dev.streamconnect.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Prints the outcome as one JSON object for machines; it holds no credentials. */
final class JsonReport {

    private JsonReport() {}

    static void print(
            Map<Path, ReplicationRecords> valid,
            List<RecordFault> faults,
            List<String> warnings,
            PrintWriter out) {
        ObjectNode root = new ObjectMapper().createObjectNode();
        root.put("valid", faults.isEmpty());
        ArrayNode faultList = root.putArray("faults");
        for (RecordFault fault : faults) {
            faultList
                    .addObject()
                    .put("file", fault.file())
                    .put("line", fault.line())
                    .put("column", fault.column())
                    .put("rule", fault.rule().id())
                    .put("message", fault.message());
        }
        ArrayNode warningList = root.putArray("warnings");
        warnings.forEach(warningList::add);
        ArrayNode topics = root.putArray("topicReplications");
        valid.forEach(
                (file, records) ->
                        records.topicReplications()
                                .forEach(topic -> add(topics, file, records, topic)));
        out.println(root.toPrettyString());
    }

    private static void add(
            ArrayNode topics, Path file, ReplicationRecords records, TopicReplication topic) {
        ObjectNode node = topics.addObject();
        node.put("file", file.toString());
        node.put("id", topic.id());
        node.put("name", topic.displayName());
        node.put("messageReplication", topic.replication());
        node.put("direction", topic.direction().field());
        node.put("topicName", topic.topicName());
        node.put("serviceNowTopic", topic.serviceNowTopic());
        topic.applicationId().ifPresent(text -> node.put("applicationId", text));
        topic.namespace().ifPresent(text -> node.put("namespace", text));
        node.put("startFrom", topic.startFrom().toString());
        topic.onGap().ifPresent(policy -> node.put("onGap", policy.field()));
        topic.onRecreated().ifPresent(policy -> node.put("onRecreated", policy.field()));
        node.put("route", topic.route());
        node.put("active", records.active(topic));
    }
}
