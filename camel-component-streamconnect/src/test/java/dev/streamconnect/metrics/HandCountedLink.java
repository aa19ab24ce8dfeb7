package dev.streamconnect.metrics;

/** A link whose counters and backlog the test sets. */
public final class HandCountedLink implements MeasuredLink {

    public volatile Backlog backlog = Backlog.UNKNOWN;
    public volatile int totalPartitions = 1;
    public volatile boolean healthy = true;
    private final String id;
    private final boolean toServiceNow;
    private final LinkCounters counters = new LinkCounters();

    private HandCountedLink(String id, boolean toServiceNow) {
        this.id = id;
        this.toServiceNow = toServiceNow;
    }

    public static HandCountedLink toServiceNow(String id) {
        return new HandCountedLink(id, true);
    }

    public static HandCountedLink fromServiceNow(String id) {
        return new HandCountedLink(id, false);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public String sourceTopic() {
        return toServiceNow ? id : "snc.acme." + id;
    }

    @Override
    public String destinationTopic() {
        return toServiceNow ? "snc.acme." + id : id;
    }

    @Override
    public String direction() {
        return toServiceNow ? "To ServiceNow" : "From ServiceNow";
    }

    @Override
    public LinkCounters counters() {
        return counters;
    }

    @Override
    public long formerRows() {
        return 2;
    }

    @Override
    public boolean hasOwnClient() {
        return false;
    }

    @Override
    public boolean healthy() {
        return healthy;
    }

    @Override
    public int assignedPartitions() {
        return 1;
    }

    @Override
    public int totalPartitions() {
        return totalPartitions;
    }

    @Override
    public Backlog backlog() {
        return backlog;
    }
}
