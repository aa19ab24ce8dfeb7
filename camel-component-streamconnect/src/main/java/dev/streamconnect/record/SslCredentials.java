package dev.streamconnect.record;

import java.util.Objects;
import java.util.Optional;

/**
 * TLS toward a customer's Kafka.
 *
 * @param keystore the client's key and certificate; without it the client stays anonymous
 * @param keyPassword password of the key; the keystore's own if empty
 * @param truststore whom to trust; the Java default if empty
 * @param provider name of the security provider
 * @param disableHostNameVerification true takes a broker's certificate whatever host it names
 */
public record SslCredentials(
        Optional<StoreSource> keystore,
        Optional<Secret> keyPassword,
        Optional<StoreSource> truststore,
        Optional<String> provider,
        boolean disableHostNameVerification) {

    public SslCredentials {
        Objects.requireNonNull(keystore, "keystore");
        Objects.requireNonNull(keyPassword, "keyPassword");
        Objects.requireNonNull(truststore, "truststore");
        Objects.requireNonNull(provider, "provider");
    }
}
