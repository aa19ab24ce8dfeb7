package dev.streamconnect.preflight;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;

/** Looks at the right to use the consumer group of a target. */
final class GroupCheck {

    private final ClusterClient client;
    private final Duration limit;

    /**
     * @param limit until when a coordinator that does not answer yet is asked again
     */
    GroupCheck(ClusterClient client, Duration limit) {
        this.client = client;
        this.limit = limit;
    }

    Verdict verdict(String group) {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                return ask(group);
            } catch (RetriableException e) {
                if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                    return unanswered(e);
                }
            } catch (KafkaException e) {
                return unanswered(e);
            }
        }
    }

    private static Verdict unanswered(KafkaException e) {
        return Verdict.fail(
                "the group's coordinator: " + ClusterClient.said(e),
                "look at the brokers of this cluster and its topic __consumer_offsets");
    }

    private Verdict ask(String group) {
        String mend = "grant READ on this group";
        try {
            ConsumerGroupDescription found =
                    client.answer(
                            client.admin()
                                    .describeConsumerGroups(
                                            List.of(group),
                                            new DescribeConsumerGroupsOptions()
                                                    .includeAuthorizedOperations(true))
                                    .describedGroups(),
                            group);
            Set<AclOperation> rights = found.authorizedOperations();
            if (rights != null && !rights.isEmpty() && !rights.contains(AclOperation.READ)) {
                return Verdict.fail("READ is missing; there are " + new TreeSet<>(rights), mend);
            }
            return Verdict.ok("READ; members now: " + found.members().size());
        } catch (AuthorizationException e) {
            return Verdict.fail("no right to use the group", mend);
        } catch (GroupIdNotFoundException e) {
            return Verdict.ok("it has no member and no position yet");
        }
    }
}
