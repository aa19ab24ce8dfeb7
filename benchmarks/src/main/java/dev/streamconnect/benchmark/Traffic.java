package dev.streamconnect.benchmark;

/**
 * The records of a source.
 *
 * @param valueBytes size of a value
 * @param topics how many topics, each with the same share
 * @param partitions of each topic
 * @param refusedPercent so many of a hundred are larger than the destination's limit
 * @param share how much of the usual amount of bytes is needed
 */
record Traffic(int valueBytes, int topics, int partitions, int refusedPercent, double share) {

    /** Key (16) and two headers: what a record has beside its value, bytes. */
    static final int REST_BYTES = 16 + 4 + 5 + 5 + 16;

    /** A refused record's value is so many times larger. */
    static final int REFUSED_FACTOR = 4;

    Traffic(int valueBytes, int partitions) {
        this(valueBytes, 1, partitions, 0, 1);
    }

    /** Key, value and headers of a record that is not refused. */
    int payloadBytes() {
        return valueBytes + REST_BYTES;
    }

    /** Differs from that of other traffic; may be part of a topic's name. */
    String name() {
        return valueBytes + "B-" + topics + "x" + partitions + "-" + refusedPercent;
    }
}
