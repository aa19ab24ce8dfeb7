package dev.streamconnect.camel;

import java.util.List;

/** Tells the states of message replications and of their records, from snapshots. */
public interface MessageReplications {

    /** Those of the records, in their order; empty without records. Never blocks. */
    List<MessageReplicationStatus> messageReplications();

    /** Which version of the records is in effect; null without records. Never blocks. */
    RecordsStatus recordsStatus();
}
