package dev.streamconnect.record;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a partition does where the source has removed messages before they were read. */
public enum OnGap {
    /** It goes on at the first message that is left. */
    CONTINUE,
    /** It stops before the gap until somebody decides. */
    FAIL;

    /** The one with this value in a records file. */
    static Optional<OnGap> ofField(String text) {
        return Arrays.stream(values()).filter(one -> one.field().equals(text)).findFirst();
    }

    /** The value in a records file. */
    public String field() {
        return name().toLowerCase(Locale.ROOT);
    }
}
