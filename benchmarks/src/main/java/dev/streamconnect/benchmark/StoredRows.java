package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderSettings;

/** Fills the undelivered store of a contender before it starts. */
final class StoredRows {

    private StoredRows() {}

    static void write(StoredAtStart wanted, ContenderSettings settings) {
        throw new IllegalStateException("later");
    }
}
