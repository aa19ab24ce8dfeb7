package dev.streamconnect.engine;

import java.time.Instant;
import java.util.Objects;

/** Where a replay begins. */
public sealed interface ReplayFrom {

    /** The first message that the source still has. */
    record Earliest() implements ReplayFrom {}

    /**
     * The first message with this timestamp or a later one; a partition that has none is left as it
     * is.
     *
     * @param time never null
     */
    record At(Instant time) implements ReplayFrom {
        public At {
            Objects.requireNonNull(time, "time");
        }
    }

    /**
     * A message of one partition.
     *
     * @param offset not negative; one that the source no longer has means the first that it has
     */
    record Offset(long offset) implements ReplayFrom {}
}
