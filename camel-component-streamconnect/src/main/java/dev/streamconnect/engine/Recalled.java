package dev.streamconnect.engine;

import dev.streamconnect.engine.SourceTopic.LastRead;
import java.util.Map;

/**
 * What the database knows of a topic and group.
 *
 * @param partitions how far each was read, and in which topic
 * @param newest of which topic the newest note is; unknown if there is none
 */
record Recalled(Map<Integer, LastRead> partitions, PositionMark newest) {

    static final Recalled NOTHING = new Recalled(Map.of(), PositionMark.UNKNOWN);

    boolean isEmpty() {
        return partitions.isEmpty();
    }
}
