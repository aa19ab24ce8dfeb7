package dev.streamconnect.record;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Where something of the records stands.
 *
 * @param source where it came from, such as the field of a row; null for what all records come from
 * @param line from 1; 0 means that there is none
 * @param column from 1; 0 means that there is none
 */
record Place(String source, int line, int column) {

    static final Place NONE = new Place(0, 0);

    Place(int line, int column) {
        this(null, line, column);
    }

    static Place of(Optional<Mark> mark) {
        return mark.map(m -> new Place(m.getLine() + 1, m.getColumn() + 1)).orElse(NONE);
    }

    /** The same place, said to be of that source. */
    Place in(String name) {
        return new Place(name, line, column);
    }
}
