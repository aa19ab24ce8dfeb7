package dev.streamconnect.record;

import java.util.Objects;
import java.util.Optional;

/**
 * A keystore or truststore: a file, its content in base64, or PEM text. One of the three is given.
 *
 * @param location path of the file
 * @param base64 content of the file, base64
 * @param pem PEM text
 * @param type what the user takes it for; the content tells the type
 * @param password password of the store
 */
public record StoreSource(
        Optional<String> location,
        Optional<Secret> base64,
        Optional<Secret> pem,
        Optional<String> type,
        Optional<Secret> password) {

    public StoreSource {
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(base64, "base64");
        Objects.requireNonNull(pem, "pem");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(password, "password");
    }
}
