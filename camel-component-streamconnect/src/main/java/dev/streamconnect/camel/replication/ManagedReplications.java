package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.LinkOperations;
import dev.streamconnect.camel.MessageReplications;
import org.apache.camel.CamelContext;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;

/**
 * What {@link ReplicationComponent} shows in JMX: operations of {@code replication:}, with their
 * answer as JSON. Where the runtime has users, they need a role.
 */
public abstract class ManagedReplications extends ReplicationOptions
        implements LinkOperations, MessageReplications {

    private static final String SELECTORS =
            ". p1: id or pattern, p2: selectors as in a URI, reason=SIZE&state=PARKED";

    ManagedReplications() {}

    ManagedReplications(CamelContext context) {
        super(context);
    }

    /** States of all topic replications and consumers on this node; never blocks. */
    @ManagedAttribute(description = "States of all topic replications on this node, as JSON")
    public String getStates() {
        return operate("*", "status", null);
    }

    /** States of all message replications on this node; never blocks. */
    @ManagedAttribute(description = "States of all message replications on this node, as JSON")
    public String getMessageReplications() {
        checkRead();
        return StatusJson.ofMessageReplications(messageReplications());
    }

    /** Which version of the records is in effect; never blocks. */
    @ManagedAttribute(description = "Version of the records in effect on this node, as JSON")
    public String getRecordsStatus() {
        checkRead();
        return StatusJson.ofRecords(recordsStatus());
    }

    @ManagedOperation(
            description = "States of the topic replications that match, as JSON. p1: id or pattern")
    public String status(String id) {
        return operate(id, "status", null);
    }

    @ManagedOperation(
            description =
                    "Metrics windows of the last hour of those that match, as JSON. p1: id or pattern")
    public String metrics(String id) {
        return operate(id, "metrics", null);
    }

    @ManagedOperation(description = "Stops reading on this node. p1: id or pattern")
    public String pause(String id) {
        return operate(id, "pause", null);
    }

    @ManagedOperation(description = "Takes up reading on this node. p1: id or pattern")
    public String resume(String id) {
        return operate(id, "resume", null);
    }

    @ManagedOperation(
            description = "Sends undelivered messages again that are due. p1: id or pattern")
    public String retry(String id) {
        return operate(id, "retry", null);
    }

    @ManagedOperation(
            description = "Makes chosen undelivered messages due and sends them again" + SELECTORS)
    public String retry(String id, String selectors) {
        return operate(id, "retry", given(selectors));
    }

    @ManagedOperation(description = "Parks all undelivered messages of an id. p1: id")
    public String park(String id) {
        return operate(id, "park", null);
    }

    @ManagedOperation(description = "Parks chosen undelivered messages" + SELECTORS)
    public String park(String id, String selectors) {
        return operate(id, "park", given(selectors));
    }

    @ManagedOperation(
            description =
                    "Deletes all undelivered messages of an id: those messages are lost. p1: id")
    public String discard(String id) {
        return operate(id, "discard", null);
    }

    @ManagedOperation(
            description =
                    "Deletes chosen undelivered messages: those messages are lost" + SELECTORS)
    public String discard(String id, String selectors) {
        return operate(id, "discard", given(selectors));
    }

    @ManagedOperation(
            description =
                    "Moves the source position back. p1: id, p2: earliest, or a time such as 2026-01-31T08:00:00Z")
    public String replay(String id, String replayFrom) {
        return operate(id, "replay", "replayFrom=" + replayFrom);
    }

    @ManagedOperation(
            description =
                    "Moves the source position back. p1: id, p2: earliest, a time or an offset, p3: selectors as in a URI, partition=3&side=A")
    public String replay(String id, String replayFrom, String selectors) {
        return operate(id, "replay", "replayFrom=" + replayFrom + "&" + given(selectors));
    }

    @Override
    public String operate(String id, String operation, String selectors) {
        return new OperationCall((ReplicationComponent) this, id, operation).run(selectors);
    }

    private void checkRead() {
        ContextEngine.of(getCamelContext()).checkThread("status", false);
    }

    /** A field that a console leaves empty is not the wish for all. */
    private static String given(String selectors) {
        return selectors == null ? "" : selectors;
    }
}
