package dev.streamconnect.record;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a partition does where its source topic was deleted and made anew. */
public enum OnRecreated {
    /** It reads the new topic from its first message on. */
    EARLIEST,
    /** It stops at its position in the old topic until somebody decides. */
    FAIL;

    /** The one with this value in a records file. */
    static Optional<OnRecreated> ofField(String text) {
        return Arrays.stream(values()).filter(one -> one.field().equals(text)).findFirst();
    }

    /** The value in a records file. */
    public String field() {
        return name().toLowerCase(Locale.ROOT);
    }
}
