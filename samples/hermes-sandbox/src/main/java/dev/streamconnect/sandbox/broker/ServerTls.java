package dev.streamconnect.sandbox.broker;

import java.nio.file.Path;

/** The stores of the brokers' TLS listeners. */
public record ServerTls(Path keyStore, Path trustStore, String password) {

    @Override
    public String toString() {
        return "ServerTls[" + keyStore + ", " + trustStore + "]";
    }
}
