package dev.streamconnect.benchmark.broker;

/** How clients reach a broker. */
public enum Listener {
    PLAIN("PLAINTEXT"),
    /** TLS with a client certificate. */
    MTLS("SSL"),
    /** Plain text, each byte 50 ms on its way in each direction. */
    DELAYED("PLAINTEXT");

    private final String protocol;

    Listener(String protocol) {
        this.protocol = protocol;
    }

    String protocol() {
        return protocol;
    }
}
