package dev.streamconnect.engine;

import dev.streamconnect.spi.UndeliveredStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The undelivered store as the engine uses it: with its policy, on threads of its own, since a call
 * blocks for as long as the database takes. Thread-safe.
 *
 * @param holdsKeys true: a later message of a key waits behind a stored one
 */
record Undelivered(
        UndeliveredStore store, RetryPolicy policy, boolean holdsKeys, ThreadPoolExecutor threads) {

    private static final Logger LOG = LoggerFactory.getLogger(Undelivered.class);

    /** Runs a step of a retry. The retry ends with it if it fails, or if the engine is closed. */
    void step(CompletableFuture<SweepCounts> retry, Runnable step) {
        boolean runs =
                execute(
                        () -> {
                            try {
                                step.run();
                            } catch (RuntimeException e) {
                                retry.completeExceptionally(e);
                            }
                        });
        if (!runs) {
            retry.complete(SweepCounts.NONE);
        }
    }

    /**
     * Runs a call of the store; one that fails unexpectedly is told in the log.
     *
     * @return false if the engine is closed, and the call will not run
     */
    boolean execute(Runnable call) {
        try {
            threads.execute(
                    () -> {
                        try {
                            call.run();
                        } catch (RuntimeException e) {
                            LOG.error("a call of the undelivered store failed, going on", e);
                        }
                    });
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("the engine is closed: what is not stored is read again", e);
            return false;
        }
    }
}
