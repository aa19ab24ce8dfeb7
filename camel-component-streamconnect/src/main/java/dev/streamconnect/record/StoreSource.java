package dev.streamconnect.record;

import java.util.Objects;
import java.util.Optional;

/**
 * A keystore or truststore: a file or its content inline.
 *
 * @param location path of the file
 * @param base64 content of the file, base64
 * @param type type of the store, {@value #DEFAULT_TYPE} unless said otherwise
 * @param password password of the store
 */
public record StoreSource(
        Optional<String> location,
        Optional<Secret> base64,
        String type,
        Optional<Secret> password) {

    /** Type of a store that says none. */
    public static final String DEFAULT_TYPE = "JKS";

    public StoreSource {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(base64, "base64");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(password, "password");
    }
}
