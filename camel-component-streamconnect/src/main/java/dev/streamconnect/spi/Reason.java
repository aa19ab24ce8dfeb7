package dev.streamconnect.spi;

/** Why a message is stored; operators choose by it. */
public enum Reason {
    /** Larger than the destination takes. */
    SIZE,
    /** Its timestamp is out of the destination's limits. */
    TIMESTAMP,
    /** Older than the destination's retention: it would be deleted at once. */
    RETENTION,
    /** No key, and the destination is compacted. */
    NO_KEY,
    /** Asks for a partition that the destination does not have. */
    PARTITION,
    /** The destination does not take the codec or the message format. */
    FORMAT,
    /** It can't be made bytes, or a record. */
    SERIALIZATION,
    /** The destination refused it, and none of the others fits. */
    REFUSED,
    /** A right, a password or a certificate is missing or wrong. */
    AUTHORIZATION,
    /** The destination topic is missing. */
    TOPIC_MISSING,
    /** The destination did not answer in time. */
    UNREACHABLE,
    /** A step of the route failed. */
    ROUTE,
    /** It waits behind an earlier message of its key. */
    BEHIND_KEY
}
