package dev.streamconnect.record;

import java.util.List;

/** Replication records that cannot be used; holds all their faults. */
public final class RecordsException extends RuntimeException {

    private final List<RecordFault> faults;

    /**
     * @param faults never empty; kept in the order of their places
     */
    public RecordsException(List<RecordFault> faults) {
        super(listing(faults), null, false, false);
        this.faults = faults.stream().sorted().toList();
    }

    /** All faults, sorted by place, unmodifiable, never empty. */
    public List<RecordFault> faults() {
        return faults;
    }

    private static String listing(List<RecordFault> faults) {
        StringBuilder text = new StringBuilder();
        text.append(faults.size())
                .append(faults.size() == 1 ? " fault" : " faults")
                .append(" in the replication records:");
        faults.stream()
                .sorted()
                .forEach(fault -> text.append(System.lineSeparator()).append("  ").append(fault));
        return text.toString();
    }
}
