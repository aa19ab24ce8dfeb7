package dev.streamconnect.spi;

import java.time.Instant;

/**
 * What the store holds of one origin and pair of topics.
 *
 * @param topics which topics the record connected when the rows were stored
 * @param waiting rows that wait, those behind a key included
 * @param behindKey rows of {@code waiting} that wait behind a key
 * @param parked rows that are parked
 * @param bytes payload bytes of all of them
 * @param oldest when the oldest waiting row was stored; null if none waits
 */
public record OriginTotals(
        MessageOrigin origin,
        TopicPair topics,
        long waiting,
        long behindKey,
        long parked,
        long bytes,
        Instant oldest) {}
