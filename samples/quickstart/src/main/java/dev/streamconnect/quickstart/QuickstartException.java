package dev.streamconnect.quickstart;

/** A fault that is told in one line: place, reason and mend. */
final class QuickstartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    QuickstartException(String line) {
        super(line);
    }
}
