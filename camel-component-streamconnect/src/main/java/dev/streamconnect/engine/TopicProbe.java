package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.KafkaClients;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a cluster what it knows of topics before a client that others share is troubled with them.
 * Blocking, with limits of a few seconds: used by the probe thread only. Not final so that a test
 * can answer for a cluster.
 */
class TopicProbe implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TopicProbe.class);
    private static final long QUICK_MILLIS = 2_000;

    /**
     * What is known of a topic.
     *
     * @param failure why it can't be used; null if it can
     * @param topicId null where the broker tells none
     * @param partitions number of partitions, 0 on a failure
     * @param config the topic's settings, null where the rights do not allow to read them
     * @param settingsDenied whether the right to read the settings is missing; null where that is
     *     not known now
     * @param clusterId null where it is not known
     */
    record Result(
            FailureVerdict failure,
            Uuid topicId,
            int partitions,
            Map<String, String> config,
            Boolean settingsDenied,
            String clusterId) {

        boolean isUsable() {
            return failure == null;
        }

        static Result failed(FailureVerdict failure) {
            return new Result(failure, null, 0, null, null, null);
        }
    }

    private final ConnectionSettings settings;
    private final String clientId;
    private final OutageGate gate;
    private final AtomicBoolean renew = new AtomicBoolean();
    private long limitMillis;
    private Admin admin;

    /** The last answer was that the certificate or user is not taken. */
    private boolean refused;

    /**
     * @param gate shut at an outage; while it is shut nothing is asked
     */
    TopicProbe(ConnectionSettings settings, String clientId, Duration limit, OutageGate gate) {
        this.settings = settings;
        this.clientId = clientId;
        this.limitMillis = limit.toMillis();
        this.gate = gate;
    }

    /**
     * Describes topics.
     *
     * @param needed the right without which a topic is unusable
     * @param withConfig also read the topic's settings
     * @return one result for each name; never throws for a broker's answer or an outage
     */
    synchronized Map<String, Result> describe(
            Collection<String> names, AclOperation needed, boolean withConfig) {
        Map<String, Result> results = new HashMap<>();
        if (!gate.isOpen()) {
            return outage(names);
        }
        boolean refusedBefore = refused;
        refused = false;
        try {
            Admin asked = admin();
            Map<String, KafkaFuture<TopicDescription>> topics =
                    asked.describeTopics(
                                    names,
                                    new DescribeTopicsOptions().includeAuthorizedOperations(true))
                            .topicNameValues();
            KafkaFuture<String> cluster = asked.describeCluster().clusterId();
            Map<ConfigResource, KafkaFuture<Config>> configs =
                    withConfig ? askSettings(asked, topics) : Map.of();
            for (String name : names) {
                KafkaFuture<Config> config = configs.get(resource(name));
                results.put(name, result(name, topics.get(name), config, cluster, needed));
            }
        } catch (RuntimeException e) {
            FailureVerdict failure =
                    FailureClassifier.classify(settings.displayName(), settings, e);
            names.forEach(name -> results.putIfAbsent(name, Result.failed(failure)));
        }
        if (refused) {
            // A client that is left alone goes on connecting, and logs each refusal.
            close();
        }
        boolean outage = isOutage(results.values());
        refused |= outage && refusedBefore;
        if (!outage || Thread.currentThread().isInterrupted()) {
            return results;
        }
        // Its known brokers may all be replaced: a new client starts from the bootstrap list again.
        close();
        gate.shutUnlessAnswered();
        return outage(names);
    }

    /** Asks only for those that may be read, as far as that is told: brokers log each refusal. */
    private Map<ConfigResource, KafkaFuture<Config>> askSettings(
            Admin asked, Map<String, KafkaFuture<TopicDescription>> topics) {
        List<ConfigResource> readable = new ArrayList<>();
        for (Map.Entry<String, KafkaFuture<TopicDescription>> topic : topics.entrySet()) {
            try {
                TopicDescription told = topic.getValue().get(limitMillis, TimeUnit.MILLISECONDS);
                if (!Boolean.TRUE.equals(isDenied(told))) {
                    readable.add(resource(topic.getKey()));
                }
            } catch (ExecutionException | TimeoutException e) {
                LOG.trace("no settings of what is not described", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Map.of();
            }
        }
        return readable.isEmpty() ? Map.of() : asked.describeConfigs(readable).values();
    }

    /** Null where the broker tells no rights. */
    private static Boolean isDenied(TopicDescription topic) {
        Set<AclOperation> rights = topic.authorizedOperations();
        return rights == null || rights.isEmpty()
                ? null
                : !rights.contains(AclOperation.DESCRIBE_CONFIGS);
    }

    /** True if the last answer was that the certificate or user is refused. */
    synchronized boolean isRefused() {
        return refused;
    }

    /** The same without settings and within a shorter limit, where nothing is heard just now. */
    synchronized Map<String, Result> describeQuickly(
            Collection<String> names, AclOperation needed) {
        long usual = limitMillis;
        limitMillis = Math.min(usual, QUICK_MILLIS);
        try {
            return describe(names, needed, false);
        } finally {
            limitMillis = usual;
        }
    }

    private Result result(
            String name,
            KafkaFuture<TopicDescription> description,
            KafkaFuture<Config> config,
            KafkaFuture<String> cluster,
            AclOperation needed) {
        try {
            TopicDescription topic = description.get(limitMillis, TimeUnit.MILLISECONDS);
            Set<AclOperation> rights = topic.authorizedOperations();
            if (rights != null && !rights.isEmpty() && !rights.contains(needed)) {
                return Result.failed(
                        new FailureVerdict.Unauthorized(
                                "the right to "
                                        + needed
                                        + " topic "
                                        + name
                                        + " is missing at "
                                        + settings.displayName()
                                        + "; add the ACL"));
            }
            Map<String, String> settings = null;
            Boolean denied = isDenied(topic);
            if (config != null) {
                try {
                    settings = settingsOf(config);
                    denied = false;
                } catch (ExecutionException e) {
                    LOG.debug("settings of {} can't be read", name, e);
                    denied = e.getCause() instanceof AuthorizationException ? true : denied;
                } catch (TimeoutException e) {
                    LOG.debug("settings of {} are not told", name, e);
                }
            }
            return new Result(
                    null,
                    topic.topicId(),
                    topic.partitions().size(),
                    settings,
                    denied,
                    clusterId(cluster));
        } catch (ExecutionException e) {
            refused |= e.getCause() instanceof AuthenticationException;
            return Result.failed(
                    FailureClassifier.classify(
                            "topic " + name + " at " + settings.displayName(), settings, e));
        } catch (TimeoutException e) {
            return Result.failed(
                    new FailureVerdict.Transient(settings.displayName() + " does not answer"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Result.failed(new FailureVerdict.Transient("interrupted"));
        }
    }

    private String clusterId(KafkaFuture<String> cluster) throws InterruptedException {
        try {
            return cluster.get(limitMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("the cluster id is not known at {}", settings.displayName(), e);
            return null;
        }
    }

    private Map<String, String> settingsOf(KafkaFuture<Config> config)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, String> values = new HashMap<>();
        for (ConfigEntry entry : config.get(limitMillis, TimeUnit.MILLISECONDS).entries()) {
            values.put(entry.name(), entry.value());
        }
        return values;
    }

    /**
     * Offsets of the next message that is written, or of the first that is not stable.
     *
     * @return without those that are not known now; never throws for a broker's answer or an outage
     */
    synchronized Map<TopicPartition, Long> ends(
            Collection<TopicPartition> partitions, IsolationLevel isolation) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        if (!gate.isOpen()) {
            return ends;
        }
        try {
            Admin asked = admin();
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            partitions.forEach(partition -> wanted.put(partition, OffsetSpec.latest()));
            ListOffsetsResult answer = asked.listOffsets(wanted, new ListOffsetsOptions(isolation));
            for (TopicPartition partition : partitions) {
                end(answer.partitionResult(partition)).ifPresent(end -> ends.put(partition, end));
            }
        } catch (TimeoutException | RuntimeException e) {
            LOG.debug("ends of logs are not known at {}", settings.displayName(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return ends;
    }

    /**
     * Members of a consumer group but one.
     *
     * @param instanceId of the one that is left out
     * @return client id and host by the member's id; empty where the cluster does not tell, or the
     *     right is missing
     */
    synchronized Optional<Map<String, String>> otherMembers(String groupId, String instanceId) {
        if (!gate.isOpen()) {
            return Optional.empty();
        }
        try {
            Map<String, String> others = new HashMap<>();
            admin()
                    .describeConsumerGroups(List.of(groupId))
                    .describedGroups()
                    .get(groupId)
                    .get(QUICK_MILLIS, TimeUnit.MILLISECONDS)
                    .members()
                    .stream()
                    .filter(member -> !member.groupInstanceId().equals(Optional.of(instanceId)))
                    .forEach(
                            member ->
                                    others.put(
                                            member.consumerId(),
                                            member.clientId() + " on " + member.host()));
            return Optional.of(others);
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug("members of {} at {} are not known", groupId, settings.displayName(), e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private OptionalLong end(KafkaFuture<ListOffsetsResult.ListOffsetsResultInfo> answer)
            throws InterruptedException, TimeoutException {
        try {
            // Nobody waits for it, and an outage must be seen meanwhile.
            return OptionalLong.of(answer.get(QUICK_MILLIS, TimeUnit.MILLISECONDS).offset());
        } catch (ExecutionException e) {
            LOG.debug("the end of a log is not known at {}", settings.displayName(), e);
            return OptionalLong.empty();
        }
    }

    private static boolean isOutage(Collection<Result> results) {
        return !results.isEmpty()
                && results.stream().allMatch(r -> r.failure() instanceof FailureVerdict.Transient);
    }

    /** The client says only that it waited; the address says more. */
    private Map<String, Result> outage(Collection<String> names) {
        Result outage =
                Result.failed(
                        new FailureVerdict.Transient(
                                settings.displayName()
                                        + " does not answer: "
                                        + Reachability.explain(settings)));
        Map<String, Result> told = new HashMap<>();
        names.forEach(name -> told.put(name, outage));
        return told;
    }

    private static ConfigResource resource(String name) {
        return new ConfigResource(ConfigResource.Type.TOPIC, name);
    }

    /** The next question is asked by a new client; never blocks. */
    void renew() {
        renew.set(true);
    }

    private Admin admin() {
        if (renew.getAndSet(false)) {
            close();
        }
        if (admin == null) {
            admin = KafkaClients.admin(settings, clientId);
        }
        return admin;
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
