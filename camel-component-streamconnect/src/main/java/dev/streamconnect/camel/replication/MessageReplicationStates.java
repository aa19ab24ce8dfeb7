package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.MessageReplicationStatus;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.record.MessageReplication;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.TopicReplication;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Adds up states of topic replications to those of their message replications. */
final class MessageReplicationStates {

    /** The worst first. */
    private static final List<LinkState> BY_SEVERITY =
            List.of(
                    LinkState.FAILED,
                    LinkState.WAITING,
                    LinkState.STALLED,
                    LinkState.BLOCKED_BY_TRANSACTION,
                    LinkState.THROTTLED,
                    LinkState.DEGRADED,
                    LinkState.STOPPED,
                    LinkState.PAUSED,
                    LinkState.STARTING,
                    LinkState.RUNNING,
                    LinkState.IDLE);

    private static final Comparator<LinkStatus> WORST_FIRST =
            Comparator.<LinkStatus>comparingInt(status -> severity(status.state()))
                    .thenComparing(LinkStatus::since)
                    .thenComparing(LinkStatus::id);

    private final ReplicationRecords records;
    private final Map<String, LinkStatus> states;
    private final String node;

    /**
     * @param states of topic replications; others are left out
     */
    MessageReplicationStates(ReplicationRecords records, List<LinkStatus> states, String node) {
        this.records = records;
        this.states = states.stream().collect(Collectors.toMap(LinkStatus::id, status -> status));
        this.node = node;
    }

    /** One for each message replication, in the order of the records. */
    List<MessageReplicationStatus> all() {
        return records.messageReplications().stream().map(this::of).toList();
    }

    private MessageReplicationStatus of(MessageReplication replication) {
        List<TopicReplication> wanted =
                replication.topicReplications().stream().filter(records::active).toList();
        List<LinkStatus> active =
                wanted.stream()
                        .map(each -> states.get(each.id()))
                        .filter(Objects::nonNull)
                        .toList();
        Map<LinkState, Integer> counts = new EnumMap<>(LinkState.class);
        active.forEach(status -> counts.merge(status.state(), 1, Integer::sum));
        LinkStatus worst = active.stream().min(WORST_FIRST).orElse(null);
        Instant errorSince =
                active.stream()
                        .map(LinkStatus::errorSince)
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
        return new MessageReplicationStatus(
                replication.name(),
                node,
                worst == null ? LinkState.STOPPED : worst.state(),
                worst == null ? inactive(replication) : reason(worst),
                worst == null ? null : worst.since(),
                errorSince,
                replication.topicReplications().size(),
                wanted.size(),
                counts.getOrDefault(LinkState.RUNNING, 0) + counts.getOrDefault(LinkState.IDLE, 0),
                counts.getOrDefault(LinkState.FAILED, 0),
                counts);
    }

    private static String inactive(MessageReplication replication) {
        return replication.active()
                ? "none of its topic replications is active"
                : "it is not active";
    }

    private static String reason(LinkStatus worst) {
        return worst.reason().isEmpty() ? "" : worst.id() + ": " + worst.reason();
    }

    /** A state that is not listed is worse than any. */
    private static int severity(LinkState state) {
        return BY_SEVERITY.indexOf(state);
    }
}
