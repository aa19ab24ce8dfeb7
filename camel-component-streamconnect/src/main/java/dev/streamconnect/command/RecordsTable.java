package dev.streamconnect.command;

import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Prints valid records as a table for people. */
final class RecordsTable {

    private RecordsTable() {}

    static void print(Path file, ReplicationRecords records, PrintWriter out) {
        List<TopicReplication> topics = records.topicReplications();
        out.println(
                file
                        + ": valid: connections="
                        + records.connections().size()
                        + ", message replications="
                        + records.messageReplications().size()
                        + ", topic replications="
                        + topics.size()
                        + " (active="
                        + topics.stream().filter(records::active).count()
                        + ")");
        if (topics.isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ID", "DIRECTION", "TOPIC", "SERVICENOW TOPIC", "ACTIVE", "NAME"));
        for (TopicReplication topic : topics) {
            rows.add(
                    List.of(
                            topic.id(),
                            topic.direction().display(),
                            topic.topicName(),
                            serviceNow(topic),
                            records.active(topic) ? "yes" : "no",
                            topic.displayName()));
        }
        int last = rows.get(0).size() - 1;
        int[] widths = IntStream.range(0, last).map(column -> width(rows, column)).toArray();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < last; i++) {
                line.append(String.format("%-" + widths[i] + "s  ", row.get(i)));
            }
            out.println(line.append(row.get(last)));
        }
    }

    private static String serviceNow(TopicReplication topic) {
        return topic.namespace().map(part -> part + ".").orElse("")
                + topic.applicationId().map(part -> part + ".").orElse("")
                + topic.serviceNowTopic();
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }
}
