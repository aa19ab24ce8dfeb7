package dev.streamconnect.spi;

import java.time.Instant;

/**
 * A row of the store.
 *
 * @param id unique in the store, grows
 * @param message what is stored, with the newest reason, answer, attempts and next attempt; in a
 *     list without key, value and headers
 * @param state what it waits for
 * @param bytes payload size, also where the payload is left out
 * @param hasKey whether it has a key, also where the key is left out
 * @param lastAttempt when it was sent in vain last; null if never
 */
public record StoredMessage(
        long id,
        UndeliveredMessage message,
        StoredState state,
        long bytes,
        boolean hasKey,
        Instant lastAttempt) {}
