package dev.streamconnect.camel;

import java.util.List;

/** Tells the states of message replications, from snapshots. */
public interface MessageReplications {

    /** Those of the records, in their order; empty without records. Never blocks. */
    List<MessageReplicationStatus> messageReplications();
}
