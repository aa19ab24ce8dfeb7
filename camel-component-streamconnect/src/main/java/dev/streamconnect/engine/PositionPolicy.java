package dev.streamconnect.engine;

import dev.streamconnect.record.OnGap;
import dev.streamconnect.record.OnRecreated;
import java.util.Objects;

/**
 * What a partition does where it can't go on at its position.
 *
 * @param onGap the source has removed messages before they were read
 * @param onRecreated the source topic was made anew, or is another cluster's
 */
public record PositionPolicy(OnGap onGap, OnRecreated onRecreated) {

    /** Go on, and say so. */
    public static final PositionPolicy DEFAULT =
            new PositionPolicy(OnGap.CONTINUE, OnRecreated.EARLIEST);

    public PositionPolicy {
        Objects.requireNonNull(onGap, "onGap");
        Objects.requireNonNull(onRecreated, "onRecreated");
    }
}
