package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the faults of one source of records, the first {@value #LIMIT} of them. Not for several
 * threads.
 */
final class Faults {

    /** More faults than a person reads. */
    static final int LIMIT = 1000;

    private final String source;
    private final Places places;
    private final List<RecordFault> found;
    private final Set<String> pointers;
    private final Set<String> unreadable;

    Faults(String source, Places places) {
        this(source, places, new ArrayList<>(), new HashSet<>(), Set.of());
    }

    private Faults(
            String source,
            Places places,
            List<RecordFault> found,
            Set<String> pointers,
            Set<String> unreadable) {
        this.source = source;
        this.places = places;
        this.found = found;
        this.pointers = pointers;
        this.unreadable = unreadable;
    }

    /**
     * Adds to these, but nothing of values that can't be judged.
     *
     * @param values pointers of values that are missing or at fault, and told so
     */
    Faults except(Set<String> values) {
        return new Faults(source, places, found, pointers, values);
    }

    static RecordsException single(
            String source, int line, int column, RecordRule rule, String message) {
        return new RecordsException(List.of(new RecordFault(source, line, column, rule, message)));
    }

    /** Adds a fault of the value at the pointer. */
    void add(String pointer, RecordRule rule, String message) {
        if (!unreadable.contains(pointer)) {
            add(pointer, places.of(pointer), rule, message);
        }
    }

    /** Whether there is a value that a rule can be judged by. */
    boolean readable(String pointer) {
        return !unreadable.contains(pointer);
    }

    /** Adds a fault of the field's name at the pointer. */
    void addAtKey(String pointer, RecordRule rule, String message) {
        add(pointer, places.ofKey(pointer), rule, message);
    }

    void add(String pointer, Place place, RecordRule rule, String message) {
        pointers.add(pointer);
        if (found.size() < LIMIT) {
            String from = place.source() == null ? source : place.source();
            found.add(new RecordFault(from, place.line(), place.column(), rule, message));
        }
    }

    /** Whether the value at the pointer has a fault already. */
    boolean has(String pointer) {
        return pointers.contains(pointer) || unreadable.contains(pointer);
    }

    /**
     * Words for a place to point to from another fault: {@code (line 7)}, what it came from, or
     * nothing.
     */
    String at(String pointer) {
        Place place = places.of(pointer);
        String line = place.line() == 0 ? "" : "line " + place.line();
        if (place.source() == null) {
            return line.isEmpty() ? "" : " (" + line + ")";
        }
        return " (" + place.source() + (line.isEmpty() ? "" : ", " + line) + ")";
    }

    List<RecordFault> list() {
        return found.stream().sorted().toList();
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new RecordsException(found);
        }
    }
}
