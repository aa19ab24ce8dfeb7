package dev.streamconnect.cluster;

/** What a bootstrap list is for; each has its own port range at an instance. */
public enum Role {
    /** Reaches the cluster that is near now. */
    PRODUCER("producer", 0),
    /** Always reaches cluster A. */
    CONSUMER_A("consumerA", 100),
    /** Always reaches cluster B. */
    CONSUMER_B("consumerB", 200);

    /** Ports of one role: the first one and this many above it. */
    static final int LAST_PORT = 50;

    /** Bootstrap ports by default: the first one and this many above it. */
    static final int LAST_BOOTSTRAP_PORT = 3;

    private final String optionPrefix;
    private final int offset;

    Role(String optionPrefix, int offset) {
        this.optionPrefix = optionPrefix;
        this.offset = offset;
    }

    /** Name of the option that overrides this role's bootstrap list, never null. */
    public String option() {
        return optionPrefix + "BootstrapServers";
    }

    /** First port of this role's range above the port base. */
    int firstPort(int portBase) {
        return portBase + offset;
    }

    int lastPort(int portBase) {
        return firstPort(portBase) + LAST_PORT;
    }

    boolean covers(int port, int portBase) {
        return port >= firstPort(portBase) && port <= lastPort(portBase);
    }

    String range(int portBase) {
        return firstPort(portBase) + "-" + lastPort(portBase);
    }
}
