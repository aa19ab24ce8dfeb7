package dev.streamconnect.sandbox.broker;

/** The three clusters of the sandbox. */
public enum ClusterName {
    /** Hermes side A. */
    A,
    /** Hermes side B. */
    B,
    /** The customer's own Kafka. */
    LOCAL;

    /** The other side of the pair. */
    public ClusterName other() {
        return switch (this) {
            case A -> B;
            case B -> A;
            case LOCAL -> throw new IllegalStateException("the local Kafka has no other side");
        };
    }
}
