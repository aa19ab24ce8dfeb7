package dev.streamconnect.preflight;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesPorts;
import dev.streamconnect.cluster.Role;
import java.util.Objects;

/**
 * What holds at Hermes and not at a customer's Kafka.
 *
 * @param instance whose addresses and certificate are wanted
 * @param ports which ports brokers may advertise
 * @param role which of the ranges
 * @param otherInstanceAllowed true takes a certificate of another instance
 * @param maxTopicPartitions most partitions that a topic may have
 * @param maxPartitions most partitions that all topics of the instance may have
 */
public record HermesRules(
        HermesInstance instance,
        HermesPorts ports,
        Role role,
        boolean otherInstanceAllowed,
        int maxTopicPartitions,
        int maxPartitions) {

    public HermesRules {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(ports, "ports");
        Objects.requireNonNull(role, "role");
    }
}
