package dev.streamconnect.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;

/** Answers for a cluster: every topic is there with open settings, but for what the test says. */
final class FakeProbe extends TopicProbe {

    final Map<String, Result> answers = new ConcurrentHashMap<>();
    final AtomicInteger asked = new AtomicInteger();
    final Map<TopicPartition, Long> logEnds = new ConcurrentHashMap<>();
    final Map<TopicPartition, Long> stableEnds = new ConcurrentHashMap<>();
    final AtomicInteger endsAsked = new AtomicInteger();

    final AtomicInteger membersAsked = new AtomicInteger();

    /** It refuses the certificate. */
    volatile boolean refuses;

    /** Null: it does not tell. */
    volatile Map<String, String> others = Map.of();

    FakeProbe() {
        super(Fixtures.HERMES, "fake", Duration.ofSeconds(1), Fixtures.openGate());
    }

    static Result there(Map<String, String> config) {
        return there(Uuid.ONE_UUID, 4, config);
    }

    /** A topic of an id. */
    static Result there(Uuid topicId, int partitions, Map<String, String> config) {
        return new Result(null, topicId, partitions, config, config == null, "cluster-1");
    }

    void fails(String topic, FailureVerdict verdict) {
        answers.put(topic, Result.failed(verdict));
    }

    @Override
    synchronized Map<String, Result> describe(
            Collection<String> names, AclOperation needed, boolean withConfig) {
        Map<String, Result> results = new HashMap<>();
        for (String name : names) {
            asked.incrementAndGet();
            results.put(name, answers.getOrDefault(name, there(Map.of())));
        }
        return results;
    }

    @Override
    synchronized boolean isRefused() {
        return refuses;
    }

    @Override
    synchronized Map<TopicPartition, Long> ends(
            Collection<TopicPartition> partitions, IsolationLevel isolation) {
        Map<TopicPartition, Long> known = new HashMap<>();
        Map<TopicPartition, Long> all =
                isolation == IsolationLevel.READ_COMMITTED ? stableEnds : logEnds;
        endsAsked.incrementAndGet();
        partitions.stream()
                .filter(all::containsKey)
                .forEach(partition -> known.put(partition, all.get(partition)));
        return known;
    }

    @Override
    synchronized Optional<Map<String, String>> otherMembers(String groupId, String instanceId) {
        membersAsked.incrementAndGet();
        return Optional.ofNullable(others);
    }

    @Override
    public synchronized void close() {
        // nothing to close
    }
}
