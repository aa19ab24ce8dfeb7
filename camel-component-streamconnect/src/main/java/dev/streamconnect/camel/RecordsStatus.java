package dev.streamconnect.camel;

import java.time.Instant;

/**
 * Which version of the replication records is in effect on this node.
 *
 * @param source what they come from, such as a path
 * @param version tells versions apart: the beginning of the SHA-256 of a file's text, or of the
 *     rows of an instance with the overlay
 * @param changed when that version was written; null if unknown
 * @param loaded when it came into effect here
 * @param store how the store is, one line: of an instance whether its records are live or from the
 *     cache, and when they were read; null if there is nothing to say
 * @param warning why a newer version is not used, one line; null if there is none
 * @param warningSince when the newer versions began to be unusable; null without a warning
 */
public record RecordsStatus(
        String source,
        String version,
        Instant changed,
        Instant loaded,
        String store,
        String warning,
        Instant warningSince) {}
