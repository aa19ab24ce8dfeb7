package dev.streamconnect.camel.replication;

import java.util.Objects;
import java.util.stream.Stream;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;

/**
 * Options that choose rows of the undelivered store for an operation. A message header can take the
 * place of each but {@code payload}; see {@link ReplicationConstants}.
 */
@UriParams
public class RowOptions {

    /** Most rows that one list may have. */
    static final int MAX_LIMIT = 10_000;

    @UriParam(
            label = "producer",
            enums =
                    "SIZE,TIMESTAMP,RETENTION,NO_KEY,PARTITION,FORMAT,SERIALIZATION,REFUSED,AUTHORIZATION,TOPIC_MISSING,UNREACHABLE,ROUTE,BEHIND_KEY")
    private String reason;

    @UriParam(label = "producer", enums = "WAITING,PARKED")
    private String state;

    @UriParam(label = "producer")
    private String from;

    @UriParam(label = "producer")
    private String to;

    @UriParam(label = "producer")
    private String rows;

    @UriParam(label = "producer", defaultValue = "100")
    private int limit = 100;

    @UriParam(label = "producer", defaultValue = "false")
    private boolean payload;

    /**
     * Refuses wrong values, and selectors where they would do nothing.
     *
     * @param operation null for none
     * @throws IllegalArgumentException one line with the option
     */
    void check(ReplicationOperation operation) {
        boolean given = Stream.of(reason, state, from, to, rows).anyMatch(Objects::nonNull);
        if (given && (operation == null || !operation.choosesRows())) {
            throw new IllegalArgumentException(
                    "reason, state, from, to and rows choose undelivered messages; "
                            + (operation == null
                                    ? "they go with an operation"
                                    : "operation=" + operation + " takes none of them"));
        }
        RowSelection.of(this, null);
    }

    public String getReason() {
        return reason;
    }

    /** Only rows that are stored for this reason. */
    public void setReason(String reason) {
        this.reason = reason;
    }

    public String getState() {
        return state;
    }

    /** Only rows that wait for their next attempt, or only those that are parked. */
    public void setState(String state) {
        this.state = state;
    }

    public String getFrom() {
        return from;
    }

    /** Only rows that were stored at this time or later, as 2026-01-31T08:00:00Z. */
    public void setFrom(String from) {
        this.from = from;
    }

    public String getTo() {
        return to;
    }

    /** Only rows that were stored before this time, as 2026-01-31T08:00:00Z. */
    public void setTo(String to) {
        this.to = to;
    }

    public String getRows() {
        return rows;
    }

    /** Only the rows of these ids, with commas. */
    public void setRows(String rows) {
        this.rows = rows;
    }

    public int getLimit() {
        return limit;
    }

    /** Most rows that operation=list answers, up to 10000. */
    public void setLimit(int limit) {
        this.limit = limit;
    }

    public boolean isPayload() {
        return payload;
    }

    /** Whether operation=show and operation=export answer key, value and headers, too. */
    public void setPayload(boolean payload) {
        this.payload = payload;
    }
}
