package dev.streamconnect.benchmark.contender;

/** The headers that each record has. */
public final class BenchmarkHeaders {

    /** What the filter looks at. */
    public static final String KIND = "kind";

    /** Every record has this value, so all pass the filter. */
    public static final String KIND_VALUE = "order";

    /** A header of 16 bytes. */
    public static final String TRACE = "trace";

    private BenchmarkHeaders() {}
}
