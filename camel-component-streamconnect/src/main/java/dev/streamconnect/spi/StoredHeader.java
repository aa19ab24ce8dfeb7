package dev.streamconnect.spi;

import java.util.Objects;

/**
 * A record header.
 *
 * @param name never null, may be empty
 * @param value bytes, may be null
 */
public record StoredHeader(String name, byte[] value) {

    public StoredHeader {
        Objects.requireNonNull(name, "name");
    }

    /** Names sizes only; never shows content. */
    @Override
    public String toString() {
        return name + "=" + (value == null ? "null" : value.length + " bytes");
    }
}
