package dev.streamconnect.preflight;

/** The Kafka release of a broker, as near as the requests that it understands tell. */
enum BrokerRelease {
    OLDER_THAN_2_1("older than 2.1"),
    FROM_2_1("2.1 or 2.2"),
    FROM_2_3("2.3"),
    FROM_2_4("2.4 to 2.7"),
    FROM_2_8("2.8"),
    FROM_3_0("3.0 to 3.8"),
    FROM_3_9("3.9"),
    FROM_4_0("4.0 or newer");

    private static final int PRODUCE = 0;
    private static final int FETCH = 1;
    private static final int INCREMENTAL_ALTER_CONFIGS = 44;
    private static final int OFFSET_DELETE = 47;
    private static final int DESCRIBE_CLUSTER = 60;
    private static final int DESCRIBE_TRANSACTIONS = 65;

    private final String label;

    BrokerRelease(String label) {
        this.label = label;
    }

    static BrokerRelease of(ApiVersions versions) {
        if (versions.first(FETCH) >= 4) {
            return FROM_4_0;
        }
        if (versions.last(FETCH) >= 17) {
            return FROM_3_9;
        }
        if (versions.last(DESCRIBE_TRANSACTIONS) >= 0) {
            return FROM_3_0;
        }
        if (versions.last(DESCRIBE_CLUSTER) >= 0) {
            return FROM_2_8;
        }
        if (versions.last(OFFSET_DELETE) >= 0) {
            return FROM_2_4;
        }
        if (versions.last(INCREMENTAL_ALTER_CONFIGS) >= 0) {
            return FROM_2_3;
        }
        return versions.last(PRODUCE) >= 7 ? FROM_2_1 : OLDER_THAN_2_1;
    }

    /**
     * Judges it.
     *
     * @param reads whether a consumer group is used there
     */
    Verdict verdict(boolean reads) {
        if (this == OLDER_THAN_2_1) {
            return Verdict.fail("broker < 2.1", "upgrade the broker to Kafka 2.3 or newer");
        }
        if (this == FROM_2_1) {
            return reads
                    ? Verdict.fail(
                            "broker < 2.3, which knows no static group members",
                            "upgrade the broker to Kafka 2.3 or newer")
                    : Verdict.warn(
                            "broker < 2.3; it can be written to, and not be read from",
                            "upgrade the broker to Kafka 2.3 or newer");
        }
        return Verdict.ok("Kafka " + label);
    }
}
