package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks at the topics of one target: whether they are there, their settings, and the rights. */
final class TopicCheck {

    private final ClusterClient client;
    private final PreflightTarget target;
    private final ClusterFacts facts;
    private final Findings findings;
    private final LastMessage lastMessage;

    TopicCheck(
            ClusterClient client,
            PreflightTarget target,
            ClusterFacts facts,
            Findings findings,
            Instant now) {
        this.client = client;
        this.target = target;
        this.facts = facts;
        this.findings = findings;
        this.lastMessage = new LastMessage(client, now);
    }

    /** Looks at all topics of the target with two questions, and at what Hermes holds. */
    void look() {
        if (target.topics().isEmpty()) {
            return;
        }
        if (target.hermes() != null) {
            findings.add(TargetCheck.CLUSTER, Stage.PARTITIONS, used());
        }
        List<String> names = target.topics().stream().map(TopicUse::topic).distinct().toList();
        Map<String, KafkaFuture<TopicDescription>> topics =
                client.admin()
                        .describeTopics(
                                names,
                                new DescribeTopicsOptions().includeAuthorizedOperations(true))
                        .topicNameValues();
        Map<ConfigResource, KafkaFuture<Config>> configs =
                client.admin()
                        .describeConfigs(names.stream().map(TopicCheck::resource).toList())
                        .values();
        for (TopicUse use : target.topics()) {
            look(use, topics, configs.get(resource(use.topic())));
        }
    }

    /** Only topics that the certificate's rights let be seen are listed. */
    private Verdict used() {
        try {
            String prefix = target.hermes().instance().topicPrefix();
            List<String> names =
                    client.answer(client.admin().listTopics().names()).stream()
                            .filter(name -> name.startsWith(prefix))
                            .toList();
            return new PartitionUse(target.hermes())
                    .ofAll(
                            client
                                    .answer(client.admin().describeTopics(names).allTopicNames())
                                    .values()
                                    .stream()
                                    .map(topic -> topic.partitions().size())
                                    .toList());
        } catch (KafkaException e) {
            return Verdict.skipped(ClusterClient.said(e));
        }
    }

    private void look(
            TopicUse use,
            Map<String, KafkaFuture<TopicDescription>> topics,
            KafkaFuture<Config> config) {
        TopicDescription topic;
        try {
            topic = client.answer(topics, use.topic());
        } catch (AuthorizationException e) {
            String hidden = "cannot be told without the right to see it";
            findings.add(use.topic(), Stage.TOPIC, Verdict.skipped(hidden));
            findings.add(use.topic(), Stage.SETTINGS, Verdict.skipped(hidden));
            findings.add(
                    use.topic(),
                    Stage.RIGHTS,
                    Verdict.fail("no right to see the topic", grant(use, "DESCRIBE and ")));
            return;
        } catch (KafkaException e) {
            findings.add(use.topic(), Stage.TOPIC, notThere(use, e));
            String cause = Stage.TOPIC.label() + " failed";
            findings.add(use.topic(), Stage.SETTINGS, Verdict.skipped(cause));
            findings.add(use.topic(), Stage.RIGHTS, Verdict.skipped(cause));
            return;
        }
        facts.partitions(use.topic(), topic.partitions().size());
        findings.add(use.topic(), Stage.TOPIC, partitions(topic));
        findings.add(use.topic(), Stage.SETTINGS, settings(use, config));
        findings.add(use.topic(), Stage.RIGHTS, rights(use, topic.authorizedOperations()));
        if (target.settings().role() != ClientRole.HERMES_PRODUCER) {
            findings.add(
                    use.topic(),
                    Stage.LAST_MESSAGE,
                    lastMessage.verdict(
                            use.topic(),
                            topic.partitions().stream().map(each -> each.partition()).toList()));
        }
    }

    private Verdict notThere(TopicUse use, KafkaException e) {
        if (e instanceof UnknownTopicOrPartitionException) {
            return Verdict.fail(
                    "the topic is not there",
                    switch (target.settings().role()) {
                        case CUSTOMER -> "create it, or correct topicName of " + use.users();
                        case HERMES_PRODUCER, HERMES_A, HERMES_B ->
                                "create it on the instance, on both sides, or correct serviceNowTopic of "
                                        + use.users();
                    });
        }
        if (e instanceof InvalidTopicException) {
            return Verdict.fail(
                    "the cluster takes no such name", "correct the name in " + use.users());
        }
        return Verdict.fail(ClusterClient.said(e), "look at the brokers of this cluster");
    }

    private Verdict partitions(TopicDescription topic) {
        int count = topic.partitions().size();
        Verdict use =
                target.hermes() == null
                        ? Verdict.ok(count == 1 ? "1 partition" : count + " partitions")
                        : new PartitionUse(target.hermes()).ofTopic(count);
        List<Integer> headless =
                topic.partitions().stream()
                        .filter(each -> each.leader() == null || each.leader().isEmpty())
                        .map(each -> each.partition())
                        .toList();
        return headless.isEmpty()
                ? use
                : Verdict.fail(
                        use.found() + ", without a leader: " + headless,
                        "start the brokers that hold these partitions");
    }

    private Verdict settings(TopicUse use, KafkaFuture<Config> config) {
        Map<String, String> values = new HashMap<>();
        try {
            for (ConfigEntry entry : client.answer(config).entries()) {
                values.put(entry.name(), entry.value());
            }
        } catch (AuthorizationException e) {
            MissingRight missing =
                    MissingRight.of(
                            target.settings(),
                            use.writes()
                                    ? OptionalRight.DESTINATION_SETTINGS
                                    : OptionalRight.SOURCE_SETTINGS,
                            use.topic());
            return Verdict.warn(
                    "the optional right " + missing.text() + ": " + missing.right().lost(),
                    "messages move without it; to have it: " + missing.mend());
        } catch (KafkaException e) {
            return Verdict.skipped(ClusterClient.said(e));
        }
        return new TopicSettings(values).verdict(use);
    }

    private Verdict rights(TopicUse use, Set<AclOperation> rights) {
        if (rights == null || rights.isEmpty()) {
            return Verdict.skipped("the broker does not tell rights");
        }
        if (rights.contains(use.right())) {
            return Verdict.ok(use.right().toString());
        }
        return Verdict.fail(
                use.right() + " is missing; there are " + new TreeSet<>(rights), grant(use, ""));
    }

    private String grant(TopicUse use, String before) {
        return "grant "
                + before
                + use.right()
                + " on this topic to the "
                + (target.isTls() && !target.isSasl() ? "certificate" : "user")
                + (target.settings().role() == ClientRole.CUSTOMER ? "" : ", on both sides");
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }
}
