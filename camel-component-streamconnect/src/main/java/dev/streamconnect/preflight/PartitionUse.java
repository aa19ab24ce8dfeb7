package dev.streamconnect.preflight;

import java.util.Collection;

/**
 * Partitions that topics of an instance have, against what it lets them have.
 *
 * @param rules with the limits
 */
record PartitionUse(HermesRules rules) {

    private static final String MEND =
            "ask for the limits of the instance; if they are others, set them by ";

    /** Of one topic. */
    Verdict ofTopic(int partitions) {
        String found = partitions + " of " + rules.maxTopicPartitions() + " partitions";
        return partitions > rules.maxTopicPartitions()
                ? Verdict.warn(found + ", over the limit", MEND + "maxTopicPartitions")
                : Verdict.ok(found);
    }

    /** Of all that may be seen. */
    Verdict ofAll(Collection<Integer> partitions) {
        int sum = partitions.stream().mapToInt(Integer::intValue).sum();
        String found =
                sum
                        + " of "
                        + rules.maxPartitions()
                        + " used by "
                        + partitions.size()
                        + (partitions.size() == 1 ? " topic" : " topics")
                        + " that this client may see";
        return sum > rules.maxPartitions()
                ? Verdict.warn(found + ", over the limit", MEND + "maxPartitions")
                : Verdict.ok(found);
    }
}
