package dev.streamconnect.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A secret in a file of its own, as container platforms mount them. */
public final class SecretFile {

    /** Larger than any store or password. */
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private SecretFile() {}

    /**
     * Reads it.
     *
     * @return its text, without the line break at its end
     * @throws IllegalArgumentException one line that names the file, never what is in it
     */
    public static String read(String location) {
        try {
            Path file = Path.of(location.strip());
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException(
                        "there is no file '" + location + "'; correct the path");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "the file '" + location + "' is too large for a secret; correct the path");
            }
            return Files.readString(file, StandardCharsets.UTF_8).replaceFirst("\\R\\z", "");
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + location + "' is no path");
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the file '"
                            + location
                            + "' cannot be read as UTF-8; give this process the right to read it");
        }
    }
}
