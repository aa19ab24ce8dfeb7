package dev.streamconnect.record;

import java.util.Comparator;
import java.util.Objects;

/**
 * One fault of replication records.
 *
 * @param file name of the file or what else the records came from
 * @param line from 1; 0 if the fault has no place
 * @param column from 1; 0 if the fault has no place
 * @param rule the rule that is broken
 * @param message one line: what, why and how to mend it; never holds a secret
 */
public record RecordFault(String file, int line, int column, RecordRule rule, String message)
        implements Comparable<RecordFault> {

    private static final Comparator<RecordFault> ORDER =
            Comparator.comparing(RecordFault::file)
                    .thenComparingInt(RecordFault::line)
                    .thenComparingInt(RecordFault::column)
                    .thenComparing(RecordFault::rule)
                    .thenComparing(RecordFault::message);

    public RecordFault {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(rule, "rule");
        Objects.requireNonNull(message, "message");
    }

    /** By file, then by place. */
    @Override
    public int compareTo(RecordFault other) {
        return ORDER.compare(this, other);
    }

    /** {@code file:line:column: rule: message}. */
    @Override
    public String toString() {
        String place = line == 0 ? file : file + ":" + line + ":" + column;
        return place + ": " + rule.id() + ": " + message;
    }
}
