package dev.streamconnect.engine;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/** The keys that a chunk holds already. */
final class KeysOfChunk {

    private final Set<ByteBuffer> keys = new HashSet<>();

    /** False if the key is there already; a missing key never is. */
    boolean add(byte[] key) {
        return key == null || keys.add(ByteBuffer.wrap(key));
    }
}
