package dev.streamconnect.record;

import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Line and column in a file, both from 1; 0 means that there is none. */
record Place(int line, int column) {

    static final Place NONE = new Place(0, 0);

    static Place of(Optional<Mark> mark) {
        return mark.map(m -> new Place(m.getLine() + 1, m.getColumn() + 1)).orElse(NONE);
    }
}
