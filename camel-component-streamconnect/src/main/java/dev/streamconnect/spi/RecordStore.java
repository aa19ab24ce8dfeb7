package dev.streamconnect.spi;

import java.util.Optional;

/**
 * Where replication records come from. It is asked once at the start and then every few seconds, by
 * one thread at a time, which may be another each time.
 */
public interface RecordStore {

    /** Name for people, such as a path; never null, never a secret. The same at all times. */
    String name();

    /**
     * Looks for another version. May block, for some seconds at most: a change of the records waits
     * as long, running topic replications do not. Content decides whether there is one, not a time:
     * what was written back as it was is the same version.
     *
     * <p>The caller takes a new version up only when two calls in a row have found it, and checks
     * its rules once more, so an implementation need not.
     *
     * @param known id of the version that the caller has; null for none
     * @return the version that is there now; empty if that is the known one
     * @throws dev.streamconnect.record.RecordsException with all faults if there is no version that
     *     can be used: nothing there, or it can't be reached or read. The caller goes on with what
     *     it has; at the start it gives up. While the cause stays the faults are the same, so that
     *     they are told once
     */
    Optional<RecordsVersion> newer(String known);

    /**
     * How the store is now, in one line for people, such as that what it has is from a cache; null
     * if there is nothing to say. Never a secret. May be asked by any thread and does not block.
     */
    default String state() {
        return null;
    }
}
