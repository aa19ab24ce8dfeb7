package dev.streamconnect.undelivered;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which stands for a key's bytes: an index can't take keys of any length. */
final class Hash {

    private Hash() {}

    /** Null for null. */
    static byte[] of(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
