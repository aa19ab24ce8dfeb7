package dev.streamconnect.cluster;

/** Words for exceptions: one line, no stack trace. */
public final class Causes {

    private static final int MAX_DEPTH = 20;

    private Causes() {}

    /**
     * The innermost message that says something, with its class where the message alone would not.
     */
    public static String shortest(Throwable error) {
        Throwable told = error;
        Throwable at = error;
        for (int depth = 0;
                at.getCause() != null && at.getCause() != at && depth < MAX_DEPTH;
                depth++) {
            at = at.getCause();
            if (at.getMessage() != null && !at.getMessage().isBlank()) {
                told = at;
            }
        }
        String message = told.getMessage() == null ? "" : told.getMessage().strip();
        int line = message.indexOf('\n');
        if (line >= 0) {
            message = message.substring(0, line);
        }
        return message.isEmpty()
                ? told.getClass().getSimpleName()
                : told.getClass().getSimpleName() + ": " + message;
    }
}
