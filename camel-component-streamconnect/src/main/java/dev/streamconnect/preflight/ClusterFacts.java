package dev.streamconnect.preflight;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What one target knows of its cluster, to be compared with the others. Thread-safe. */
final class ClusterFacts {

    private final Map<String, Integer> partitions = new ConcurrentHashMap<>();
    private volatile String clusterId;

    void clusterId(String id) {
        clusterId = id;
    }

    /** Null where it is not known. */
    String clusterId() {
        return clusterId;
    }

    void partitions(String topic, int count) {
        partitions.put(topic, count);
    }

    /** Partitions of the topics that are there. */
    Map<String, Integer> partitions() {
        return Map.copyOf(partitions);
    }
}
