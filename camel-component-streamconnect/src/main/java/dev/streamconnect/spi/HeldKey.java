package dev.streamconnect.spi;

import java.util.Objects;

/**
 * A key that has waiting rows.
 *
 * @param stage where later messages of the key have to wait
 * @param key never null
 */
public record HeldKey(Stage stage, byte[] key) {

    public HeldKey {
        Objects.requireNonNull(stage, "stage");
        Objects.requireNonNull(key, "key");
    }
}
