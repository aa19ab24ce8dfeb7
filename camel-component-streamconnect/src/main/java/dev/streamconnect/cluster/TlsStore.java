package dev.streamconnect.cluster;

import java.util.Arrays;
import java.util.Objects;

/**
 * A keystore or truststore as a user gives it.
 *
 * @param option name of the option that gives it, for messages
 * @param passwordOption name of its password's option, for messages
 * @param location path of the file; null if the content is given
 * @param content the file's bytes; null if the location is given
 * @param password null for none
 */
public record TlsStore(
        String option, String passwordOption, String location, byte[] content, String password) {

    public TlsStore {
        Objects.requireNonNull(option, "option");
        Objects.requireNonNull(passwordOption, "passwordOption");
        if ((location == null) == (content == null)) {
            throw new IllegalArgumentException(
                    option + ": give a file or its content, one of them");
        }
    }

    /** A store in a file; {@code file:} before the path is taken off. */
    public static TlsStore file(
            String option, String passwordOption, String path, String password) {
        String location = path.startsWith("file:") ? path.substring("file:".length()) : path;
        return new TlsStore(option, passwordOption, location, null, password);
    }

    /**
     * Its type, told by the content: {@code JKS}, {@code JCEKS}, {@code PKCS12} or {@code PEM}.
     *
     * @throws IllegalArgumentException if it is none of them or can't be read; one line
     */
    public String detectedType() {
        return StoreReader.type(this);
    }

    /** Where it is, for people. */
    public String place() {
        return location == null ? "the content given" : "'" + location + "'";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TlsStore store
                && option.equals(store.option)
                && passwordOption.equals(store.passwordOption)
                && Objects.equals(location, store.location)
                && Arrays.equals(content, store.content)
                && Objects.equals(password, store.password);
    }

    @Override
    public int hashCode() {
        return Objects.hash(option, passwordOption, location, Arrays.hashCode(content), password);
    }

    /** Never shows content or password. */
    @Override
    public String toString() {
        return option + "=" + place();
    }
}
