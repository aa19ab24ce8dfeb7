package dev.streamconnect.benchmark.contender;

/** Replicates topics from the start of the process to its end. */
interface Contender {

    /**
     * Starts to replicate and returns; goes on on threads of its own.
     *
     * @return stops it
     */
    AutoCloseable start(ContenderSettings settings) throws Exception;
}
