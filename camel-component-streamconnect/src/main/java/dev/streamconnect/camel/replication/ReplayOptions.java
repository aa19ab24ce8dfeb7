package dev.streamconnect.camel.replication;

import java.util.Objects;
import java.util.stream.Stream;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;

/**
 * Options of operation=replay. A message header can take the place of each; see {@link
 * ReplicationConstants}.
 */
@UriParams
public class ReplayOptions {

    @UriParam(label = "producer")
    private String replayFrom;

    @UriParam(label = "producer")
    private Integer partition;

    @UriParam(label = "producer", enums = "A,B")
    private String side;

    /**
     * Refuses wrong values, and these options where they would do nothing.
     *
     * @param operation null for none
     * @throws IllegalArgumentException one line with the option
     */
    void check(ReplicationOperation operation) {
        boolean given = Stream.of(replayFrom, partition, side).anyMatch(Objects::nonNull);
        if (!given) {
            return;
        }
        if (operation != ReplicationOperation.REPLAY) {
            throw new IllegalArgumentException(
                    "replayFrom, partition and side go with operation=replay alone");
        }
        ReplayRequest.of(this, null);
    }

    public String getReplayFrom() {
        return replayFrom;
    }

    /**
     * Where operation=replay begins: earliest, a time such as 2026-01-31T08:00:00Z, or an offset of
     * one partition.
     */
    public void setReplayFrom(String replayFrom) {
        this.replayFrom = replayFrom;
    }

    public Integer getPartition() {
        return partition;
    }

    /** Source partition that operation=replay is for. All that this node reads by default. */
    public void setPartition(Integer partition) {
        this.partition = partition;
    }

    public String getSide() {
        return side;
    }

    /** Side of Hermes that operation=replay is for. Both by default. */
    public void setSide(String side) {
        this.side = side;
    }
}
