package dev.streamconnect.camel;

import org.apache.camel.component.kafka.KafkaConstants;

/** Header names of the camel-kafka that runs. A constant would be that of the compiler's. */
public final class RunningCamelKafka {

    private RunningCamelKafka() {}

    /**
     * @param constant name of a field of {@link KafkaConstants}
     */
    public static String header(String constant) {
        try {
            return (String) KafkaConstants.class.getField(constant).get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
