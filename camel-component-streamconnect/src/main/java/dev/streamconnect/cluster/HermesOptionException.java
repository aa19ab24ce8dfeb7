package dev.streamconnect.cluster;

import java.util.List;

/** Options of the Hermes side that cannot work; each fault is one line: option, reason, mend. */
public final class HermesOptionException extends IllegalArgumentException {

    private final List<String> faults;

    HermesOptionException(List<String> faults) {
        super(String.join(System.lineSeparator(), faults));
        this.faults = List.copyOf(faults);
    }

    /** The faults, unmodifiable, never empty. */
    public List<String> faults() {
        return faults;
    }
}
