package dev.streamconnect.metrics;

/**
 * A link as metrics see it, from its opening to its end. All methods may be called from any thread
 * and never block.
 */
public interface MeasuredLink {

    /** Id of the topic replication. */
    String id();

    /** Full name of the source topic. */
    String sourceTopic();

    /** Full name of the destination topic. */
    String destinationTopic();

    /** {@code To ServiceNow} or {@code From ServiceNow}. */
    String direction();

    /** Its counters, always the same object. */
    LinkCounters counters();

    /** What waits at its source now. */
    Backlog backlog();

    /** Source partitions that this node reads now. */
    int assignedPartitions();

    /** Source partitions that there are, whoever reads them. */
    int totalPartitions();

    /** Whether its destination is slow, and it has a client of its own for it. */
    boolean hasOwnClient();

    /** Whether its messages move, or would: false while its state is FAILED or STALLED. */
    boolean healthy();

    /** Undelivered messages of topics that its record connected earlier. */
    long formerRows();
}
