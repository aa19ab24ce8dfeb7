package dev.streamconnect.camel;

import java.time.Instant;

/**
 * Which version of the replication records is in effect on this node.
 *
 * @param source what they come from, such as a path
 * @param version tells versions apart: for a file the beginning of the SHA-256 of its text
 * @param changed when that version was written; null if unknown
 * @param loaded when it came into effect here
 * @param warning why a newer version is not used, one line; null if there is none
 * @param warningSince when the newer versions began to be unusable; null without a warning
 */
public record RecordsStatus(
        String source,
        String version,
        Instant changed,
        Instant loaded,
        String warning,
        Instant warningSince) {}
