package dev.streamconnect.camel.console;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.LinkOperations;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkStatus;
import java.time.Instant;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.api.management.ManagedAttribute;
import org.apache.camel.api.management.ManagedOperation;
import org.apache.camel.api.management.ManagedResource;
import org.apache.camel.spi.ManagementAgent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic replication or {@code hermes:} consumer in JMX, where the context has it. The name is
 * made of its id and so stays the same over restarts, which Camel's own names of consumers don't.
 *
 * <p>Attributes are snapshots and never block. Operations are those of {@code replication:} with
 * their answer as JSON. Where the runtime has users, both need a role.
 */
@ManagedResource(description = "Topic replication")
public final class ManagedLink {

    private static final Logger LOG = LoggerFactory.getLogger(ManagedLink.class);

    private final CamelContext context;
    private final Link link;

    private ManagedLink(CamelContext context, Link link) {
        this.context = context;
        this.link = link;
    }

    /** Shows a link under its id, in the place of an earlier one. Without JMX it does nothing. */
    public static void register(CamelContext context, Link link) {
        unregister(context, link);
        try {
            ManagementAgent agent = agent(context);
            if (agent != null) {
                agent.register(new ManagedLink(context, link), name(context, agent, link));
            }
        } catch (JMException e) {
            LOG.warn("{} is not in JMX: {}", link.id(), e.toString());
        }
    }

    /** Shows it no more. Idempotent. */
    public static void unregister(CamelContext context, Link link) {
        try {
            ManagementAgent agent = agent(context);
            if (agent != null && agent.isRegistered(name(context, agent, link))) {
                agent.unregister(name(context, agent, link));
            }
        } catch (JMException e) {
            LOG.debug("{} stays in JMX", link.id(), e);
        }
    }

    private static ManagementAgent agent(CamelContext context) {
        return context.getManagementStrategy() == null
                ? null
                : context.getManagementStrategy().getManagementAgent();
    }

    private static ObjectName name(CamelContext context, ManagementAgent agent, Link link)
            throws JMException {
        String owner =
                context.getManagementName() == null
                        ? context.getName()
                        : context.getManagementName();
        return new ObjectName(
                agent.getMBeanObjectDomainName()
                        + ":context="
                        + owner
                        + ",type=replications,name="
                        + ObjectName.quote(link.id()));
    }

    @ManagedAttribute(description = "Id of the topic replication, or topic@group of a consumer")
    public String getId() {
        return read().id();
    }

    @ManagedAttribute(description = "What it does now")
    public String getState() {
        return read().status().state().name();
    }

    @ManagedAttribute(description = "Why; empty for states that need no reason")
    public String getReason() {
        return read().status().reason();
    }

    @ManagedAttribute(description = "What is to be known beside the state; empty for none")
    public String getNotice() {
        return read().status().notice();
    }

    @ManagedAttribute(
            description = "Optional rights that it does without, and what is lost without each")
    public String[] getMissingRights() {
        return read().status().missingRights().stream()
                .map(
                        missing ->
                                missing.text()
                                        + " at "
                                        + missing.side()
                                        + ": "
                                        + missing.right().lost())
                .toArray(String[]::new);
    }

    @ManagedAttribute(description = "When this state began")
    public String getSince() {
        return text(read().status().since());
    }

    @ManagedAttribute(description = "When the first of the present problems began; null for none")
    public String getErrorSince() {
        return text(read().status().errorSince());
    }

    @ManagedAttribute(description = "Source topic and connection")
    public String getSource() {
        return read().status().source();
    }

    @ManagedAttribute(description = "Destination topic and connection; empty for a consumer")
    public String getDestination() {
        return read().status().destination();
    }

    @ManagedAttribute(description = "Source partitions that this node reads now")
    public int getAssignedPartitions() {
        return read().status().assignedPartitions();
    }

    @ManagedAttribute(description = "Source partitions that there are, whoever reads them")
    public int getTotalPartitions() {
        return read().status().totalPartitions();
    }

    @ManagedAttribute(
            description = "Newest gaps, topics made anew, new partitions; the newest last")
    public String[] getEvents() {
        return read().status().events().stream()
                .map(event -> event.at() + " " + event.kind() + " " + event.text())
                .toArray(String[]::new);
    }

    @ManagedAttribute(
            description = "Messages that the source removed before they were read; only grows")
    public long getGapMessages() {
        return read().totals().gapMessages();
    }

    @ManagedAttribute(
            description = "How often a partition could not be read on at its position; only grows")
    public long getPositionEvents() {
        return read().totals().positionEvents();
    }

    @ManagedAttribute(description = "Paused by an operator, or its route is suspended")
    public boolean isPaused() {
        return read().isPaused();
    }

    @ManagedAttribute(description = "Messages that the destination acknowledged; only grows")
    public long getMessages() {
        return read().totals().messages();
    }

    @ManagedAttribute(description = "Bytes of key, value and headers of those messages; only grows")
    public long getBytes() {
        return read().totals().bytes();
    }

    @ManagedAttribute(description = "Messages still to be processed at the source; -1 if unknown")
    public long getLag() {
        LinkStatus status = read().status();
        return status.lag();
    }

    @ManagedAttribute(description = "Messages put into the undelivered store; only grows")
    public long getStored() {
        return read().totals().stored();
    }

    @ManagedAttribute(description = "Stored messages that were delivered; only grows")
    public long getRetried() {
        return read().totals().retried();
    }

    @ManagedAttribute(description = "Stored messages that were parked; only grows")
    public long getParked() {
        return read().totals().parked();
    }

    @ManagedAttribute(description = "Messages that wait behind an earlier one of their key")
    public long getHeld() {
        return read().totals().heldBehindKey();
    }

    @ManagedAttribute(description = "Time that brokers asked to wait, milliseconds; only grows")
    public long getThrottleMillis() {
        return read().totals().throttleMillis();
    }

    @ManagedAttribute(
            description = "Age of the oldest message not replicated, milliseconds; null if unknown")
    public Long getOldestAgeMillis() {
        return read().backlog().oldestAgeMillis();
    }

    @ManagedAttribute(
            description = "Hours until the source deletes it; null if never or if unknown")
    public Double getHoursToLoss() {
        return read().backlog().hoursToLoss();
    }

    @ManagedAttribute(description = "When the last retry run of this node ended; null for none")
    public String getLastRetryRun() {
        return text(read().totals().lastRetryRun());
    }

    @ManagedAttribute(
            description =
                    "Messages handed out after a younger one of their key from the other side; only grows")
    public long getReordered() {
        return read().totals().reordered();
    }

    @ManagedAttribute(
            description = "Messages that were read from the other side before; only grows")
    public long getRepeated() {
        return read().totals().repeated();
    }

    @ManagedAttribute(description = "How often a side was not read to its end in time; only grows")
    public long getDrainLimitsHit() {
        return read().totals().drainLimitsHit();
    }

    @ManagedAttribute(
            description =
                    "Messages that were left out, since they had come from their destination; only grows")
    public long getReturned() {
        return read().totals().returned();
    }

    @ManagedOperation(description = "Stops reading on this node")
    public String pause() {
        return operate("pause", null);
    }

    @ManagedOperation(description = "Takes up reading on this node")
    public String resume() {
        return operate("resume", null);
    }

    @ManagedOperation(description = "Sends undelivered messages again that are due")
    public String retry() {
        return operate("retry", null);
    }

    @ManagedOperation(
            description =
                    "Makes chosen undelivered messages due and sends them again. p1: selectors as in a URI, reason=SIZE&state=PARKED")
    public String retry(String selectors) {
        return operate("retry", given(selectors));
    }

    @ManagedOperation(description = "Parks all its undelivered messages")
    public String park() {
        return operate("park", null);
    }

    @ManagedOperation(description = "Parks chosen undelivered messages. p1: selectors as in a URI")
    public String park(String selectors) {
        return operate("park", given(selectors));
    }

    @ManagedOperation(description = "Deletes all its undelivered messages: those messages are lost")
    public String discard() {
        return operate("discard", null);
    }

    @ManagedOperation(
            description =
                    "Deletes chosen undelivered messages: those messages are lost. p1: selectors as in a URI")
    public String discard(String selectors) {
        return operate("discard", given(selectors));
    }

    @ManagedOperation(
            description =
                    "Moves the source position back. p1: earliest, or a time such as 2026-01-31T08:00:00Z")
    public String replay(String replayFrom) {
        return operate("replay", "replayFrom=" + replayFrom);
    }

    @ManagedOperation(
            description =
                    "Moves the source position back. p1: earliest, a time or an offset; p2: selectors as in a URI, partition=3&side=A")
    public String replay(String replayFrom, String selectors) {
        return operate("replay", "replayFrom=" + replayFrom + "&" + given(selectors));
    }

    /** A field that a console leaves empty is not the wish for all. */
    private static String given(String selectors) {
        return selectors == null ? "" : selectors;
    }

    private String operate(String operation, String selectors) {
        return ((LinkOperations) context.getComponent("replication"))
                .operate(link.id(), operation, selectors);
    }

    /** For attributes. */
    private Link read() {
        ContextEngine.of(context).checkThread("status", false);
        return link;
    }

    private static String text(Instant time) {
        return time == null ? null : time.toString();
    }
}
