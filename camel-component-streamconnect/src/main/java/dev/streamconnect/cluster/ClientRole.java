package dev.streamconnect.cluster;

/** What a client talks to; decides its defaults. */
public enum ClientRole {
    /** The 400x ports: the cluster that is near now, another one after a fail-over. */
    HERMES_PRODUCER("producer"),
    /** The 410x ports: always cluster A. */
    HERMES_A("side A"),
    /** The 420x ports: always cluster B. */
    HERMES_B("side B"),
    /** The customer's own single cluster. */
    CUSTOMER("customer");

    private final String label;

    ClientRole(String label) {
        this.label = label;
    }

    /** Word for people. */
    public String label() {
        return label;
    }

    /** {@code A}, {@code B}, or null where the role is no side. */
    public String side() {
        return switch (this) {
            case HERMES_A -> "A";
            case HERMES_B -> "B";
            case HERMES_PRODUCER, CUSTOMER -> null;
        };
    }
}
