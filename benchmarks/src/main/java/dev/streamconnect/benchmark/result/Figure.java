package dev.streamconnect.benchmark.result;

/** What is measured of a run. */
public enum Figure {
    /** At the destination's end offsets. */
    RECORDS_PER_SECOND("records/s", 0),
    /** Key, value and headers, in units of 1,000,000 bytes. */
    MEGABYTES_PER_SECOND("MB/s", 1),
    /** CPU of the contender's process, for a million records. */
    CPU_SECONDS_PER_MILLION("CPU-s per million", 2),
    /** CPU of both brokers, for a million records: what the contender's requests cost them. */
    BROKER_CPU_SECONDS_PER_MILLION("brokers' CPU-s per million", 2),
    /** Most memory of the contender's process that was resident, in units of 1024 * 1024 bytes. */
    PEAK_RSS_MEGABYTES("peak RSS MiB", 0),
    /** Allocated on the heap by the threads that live, for a record. */
    ALLOCATED_BYTES_PER_RECORD("heap B per record", 0),
    /** Sum of the garbage collector's pauses, for a million records. */
    GC_MILLIS_PER_MILLION("GC ms per million", 0),
    /** From the start of the process to its first record at the destination. */
    START_SECONDS("start s", 1),
    /** From when a record was due at the source to its arrival at a reader of the destination. */
    P50_MILLIS("p50 ms", 2),
    P99_MILLIS("p99 ms", 2),
    P999_MILLIS("p99.9 ms", 2),
    MAX_MILLIS("max ms", 1),
    /** How long it was measured. */
    WINDOW_SECONDS("window s", 1);

    private final String label;
    private final int decimals;

    Figure(String label, int decimals) {
        this.label = label;
        this.decimals = decimals;
    }

    /** Name and unit, for people. */
    public String label() {
        return label;
    }

    /** A value as it stands in a table. */
    public String format(double value) {
        return Numbers.format(value, decimals);
    }
}
