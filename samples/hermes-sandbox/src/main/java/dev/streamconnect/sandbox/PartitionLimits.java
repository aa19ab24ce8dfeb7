package dev.streamconnect.sandbox;

/**
 * How many partitions a side of Hermes lets its topics have. The local Kafka has no such limits.
 *
 * @param ofTopic most of one topic
 * @param ofAll most of all topics together
 */
public record PartitionLimits(int ofTopic, int ofAll) {

    /**
     * Checks a number of partitions that is asked for.
     *
     * @param topic name, for people
     * @param wanted total of that topic
     * @param ofOthers what all other topics have
     * @throws SandboxException naming limit and option
     */
    public void check(String topic, int wanted, int ofOthers) {
        if (wanted > ofTopic) {
            throw new SandboxException(
                    "%s: %d partitions are over the limit of %d of a topic (--max-topic-partitions)"
                            .formatted(topic, wanted, ofTopic));
        }
        if (wanted + ofOthers > ofAll) {
            throw new SandboxException(
                    "%s: %d partitions with the %d of other topics are over the limit of %d (--max-partitions)"
                            .formatted(topic, wanted, ofOthers, ofAll));
        }
    }
}
