package dev.streamconnect.sandbox.gateway;

/** What a public port is for. */
public enum Role {
    /** Reaches the cluster that is near now. */
    PRODUCER("producer"),
    /** Always cluster A. */
    CONSUMER_A("consumerA"),
    /** Always cluster B. */
    CONSUMER_B("consumerB"),
    /** The customer's own Kafka. */
    LOCAL("local");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    /** The name in control requests and in the status. */
    public String word() {
        return word;
    }

    @Override
    public String toString() {
        return word;
    }
}
