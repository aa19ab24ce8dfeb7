package dev.streamconnect.sandbox;

/** A fault that the user can mend. Its message is one line with place, reason and mend. */
public final class SandboxException extends RuntimeException {

    public SandboxException(String message) {
        super(message);
    }
}
