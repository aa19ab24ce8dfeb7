package dev.streamconnect.camel;

import java.lang.reflect.Field;
import org.apache.camel.CamelContext;

/**
 * The header names of the camel-kafka that runs, so that exchanges pass between its endpoints and
 * ours with key, timestamp and partition. The names were changed on patch lines and the compiler
 * inlines constants; they are read from the class at run time. Without camel-kafka all are null.
 *
 * @param key key, read and set
 * @param partitionKey partition to send to
 * @param overrideTimestamp timestamp to send with
 * @param timestamp timestamp as consumed
 * @param headers the consumed record's headers as Kafka's type
 */
record CamelKafkaHeaders(
        String key,
        String partitionKey,
        String overrideTimestamp,
        String timestamp,
        String headers) {

    static final CamelKafkaHeaders ABSENT = new CamelKafkaHeaders(null, null, null, null, null);

    private static final String CONSTANTS = "org.apache.camel.component.kafka.KafkaConstants";

    static CamelKafkaHeaders of(CamelContext context) {
        Class<?> constants = context.getClassResolver().resolveClass(CONSTANTS);
        return constants == null ? ABSENT : of(constants);
    }

    static CamelKafkaHeaders of(Class<?> constants) {
        return new CamelKafkaHeaders(
                read(constants, "KEY"),
                read(constants, "PARTITION_KEY"),
                read(constants, "OVERRIDE_TIMESTAMP"),
                read(constants, "TIMESTAMP"),
                read(constants, "HEADERS"));
    }

    private static String read(Class<?> constants, String name) {
        try {
            Field field = constants.getField(name);
            return String.valueOf(field.get(null));
        } catch (ReflectiveOperationException e) {
            // This camel-kafka has no such header, so no exchange carries it.
            return null;
        }
    }
}
