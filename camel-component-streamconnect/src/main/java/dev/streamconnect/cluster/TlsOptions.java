package dev.streamconnect.cluster;

import java.util.Objects;

/**
 * TLS toward one cluster as a user gives it.
 *
 * @param keystore the client's key and certificate; null leaves the client anonymous
 * @param keyPasswordOption name of the key password's option, for messages
 * @param keyPassword password of the key; null means the keystore's own
 * @param truststore whom to trust; null means the Java default
 * @param hostnameVerification false takes a broker's certificate whatever host it names
 * @param provider name of the security provider; null for the default
 */
public record TlsOptions(
        TlsStore keystore,
        String keyPasswordOption,
        String keyPassword,
        TlsStore truststore,
        boolean hostnameVerification,
        String provider) {

    public TlsOptions {
        Objects.requireNonNull(keyPasswordOption, "keyPasswordOption");
    }

    /** The options that give a client its certificate, for people. */
    public static String keystoreOptions(ClientRole role) {
        return role == ClientRole.CUSTOMER
                ? "ssl.keystoreLocation, ssl.keystoreBase64 or ssl.keystorePem of the connection"
                : "keystore";
    }

    /** The options that say whom a client trusts, for people. */
    public static String truststoreOptions(ClientRole role) {
        return role == ClientRole.CUSTOMER
                ? "ssl.truststoreLocation, ssl.truststoreBase64 or ssl.truststorePem of the connection"
                : "truststore";
    }

    /** Never shows a password. */
    @Override
    public String toString() {
        return "TlsOptions["
                + keystore
                + ", "
                + truststore
                + ", hostnameVerification="
                + hostnameVerification
                + "]";
    }
}
