package dev.streamconnect.camel;

import dev.streamconnect.engine.LinkState;
import java.time.Instant;
import java.util.Map;

/**
 * State of a message replication on this node: the worst of its active topic replications.
 *
 * @param name of the message replication
 * @param node this node
 * @param state the worst state; {@link LinkState#STOPPED} where nothing of it is active
 * @param reason id and reason of the first topic replication in that state, one line; empty for
 *     states that need none
 * @param since when the first of those in that state came into it; null where nothing is active
 * @param errorSince when the first of the present problems began; null while there is none
 * @param topicReplications all of its topic replications
 * @param active how many of them are active
 * @param running how many of those are RUNNING or IDLE
 * @param failed how many of those are FAILED
 * @param states how many active ones are in each state; states of none are left out
 */
public record MessageReplicationStatus(
        String name,
        String node,
        LinkState state,
        String reason,
        Instant since,
        Instant errorSince,
        int topicReplications,
        int active,
        int running,
        int failed,
        Map<LinkState, Integer> states) {

    public MessageReplicationStatus {
        states = Map.copyOf(states);
    }
}
