package dev.streamconnect.record;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.streamconnect.cluster.HermesInstance;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Texts of records files for tests, and how to read them. */
final class RecordsText {

    static final String SOURCE = "records.yaml";

    private RecordsText() {}

    /** A file with the connection and message replication {@code plant} and these entries. */
    static String file(String... topicReplications) {
        return """
                version: 1
                connections:
                  - id: plant
                    bootstrapServers: localhost:9092
                messageReplications:
                  - name: plant
                    connection: plant
                    topicReplications:
                """
                + String.join("", topicReplications);
    }

    static String to(String id, String topic, String serviceNowTopic) {
        return entry(id, "toServiceNow", topic, serviceNowTopic);
    }

    static String from(String id, String serviceNowTopic, String topic) {
        return entry(id, "fromServiceNow", topic, serviceNowTopic);
    }

    /** An entry in one line, so that its line is 9 plus its index. */
    private static String entry(String id, String direction, String topic, String serviceNow) {
        return "      - {id: %s, direction: %s, topicName: %s, serviceNowTopic: %s}\n"
                .formatted(id, direction, topic, serviceNow);
    }

    static ReplicationRecords read(String text) {
        return read(text, Optional.empty(), value -> null);
    }

    static ReplicationRecords read(
            String text, Optional<String> instance, UnaryOperator<String> resolver) {
        return new RecordsReader(resolver, instance.map(HermesInstance::of))
                .read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), SOURCE);
    }

    static RecordsException refused(String text) {
        return refused(text, Optional.empty());
    }

    static RecordsException refused(String text, Optional<String> instance) {
        RecordsException e =
                catchThrowableOfType(
                        RecordsException.class, () -> read(text, instance, value -> null));
        if (e == null) {
            throw new AssertionError("the records are valid");
        }
        return e;
    }

    /** The faults as {@code line rule}. */
    static List<String> faults(String text) {
        return faults(text, Optional.empty());
    }

    static List<String> faults(String text, Optional<String> instance) {
        return refused(text, instance).faults().stream()
                .map(fault -> fault.line() + " " + fault.rule().id())
                .toList();
    }
}
