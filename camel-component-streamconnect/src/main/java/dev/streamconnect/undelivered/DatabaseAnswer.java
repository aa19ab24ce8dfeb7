package dev.streamconnect.undelivered;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** What a database said of a failure, as one line for people and without data of rows. */
final class DatabaseAnswer {

    private static final int MAX_LENGTH = 300;
    private static final int MAX_DEPTH = 20;

    /** H2: a general error, failed input or output, a database closed by such. */
    private static final Set<String> H2_CLOSED = Set.of("HY000", "90028", "90031", "90098");

    private DatabaseAnswer() {}

    /** The innermost answer of the driver, null if there is none. */
    static SQLException of(Throwable failure) {
        SQLException answer = null;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
            if (cause instanceof SQLException sql) {
                answer = sql;
            }
            cause = cause.getCause();
        }
        return answer;
    }

    /** True where the driver's message may quote rows: refused data and broken constraints. */
    static boolean quotesRows(SQLException answer) {
        String state = answer == null ? null : answer.getSQLState();
        return state != null && (state.startsWith("22") || state.startsWith("23"));
    }

    /** True where H2 closes its file, or has closed it: another connection opens it again. */
    static boolean hasClosedH2(SQLException answer) {
        return H2_CLOSED.contains(String.valueOf(answer.getSQLState()));
    }

    static String line(Exception failure, SQLException answer) {
        if (quotesRows(answer)) {
            return "it refuses the data, SQL state " + answer.getSQLState();
        }
        String text = String.valueOf((answer == null ? failure : answer).getMessage()).strip();
        String line =
                text.lines().findFirst().orElse("no answer").replaceFirst("; SQL statement:$", "");
        String shortened = line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "…" : line;
        return shortened
                + fileSystem(failure, shortened)
                + advice(answer == null ? null : answer.getSQLState());
    }

    /** What the file system said beneath, such as that the disk is full; or nothing. */
    private static String fileSystem(Exception failure, String said) {
        Throwable root = failure;
        for (int depth = 0; beneath(root) != null && depth < MAX_DEPTH; depth++) {
            root = beneath(root);
        }
        String text = String.valueOf(root.getMessage());
        return root instanceof IOException && !said.contains(text) ? ": " + text : "";
    }

    /** A failed batch has no cause, but a next one. */
    private static Throwable beneath(Throwable failure) {
        return failure.getCause() == null && failure instanceof SQLException batch
                ? batch.getNextException()
                : failure.getCause();
    }

    private static String advice(String state) {
        if (state == null) {
            return "";
        }
        if (state.startsWith("28")) {
            return " (options "
                    + UndeliveredDatabase.USER_OPTION
                    + ", "
                    + UndeliveredDatabase.PASSWORD_OPTION
                    + ")";
        }
        if (H2_CLOSED.contains(state)) {
            return "; see that the disk has room and its folder can be written: the file is opened again by itself";
        }
        boolean place = state.startsWith("08") || state.startsWith("3D");
        return place ? " (option " + UndeliveredDatabase.URL_OPTION + ")" : "";
    }
}
