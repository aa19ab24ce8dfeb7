package dev.streamconnect.undelivered;

import java.sql.SQLException;

/** What a database said of a failure, as one line for people and without data of rows. */
final class DatabaseAnswer {

    private static final int MAX_LENGTH = 300;

    private DatabaseAnswer() {}

    /** The innermost answer of the driver, null if there is none. */
    static SQLException of(Throwable failure) {
        SQLException answer = null;
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 20; depth++) {
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

    static String line(Exception failure, SQLException answer) {
        if (quotesRows(answer)) {
            return "it refuses the data, SQL state " + answer.getSQLState();
        }
        String text = String.valueOf((answer == null ? failure : answer).getMessage()).strip();
        String line = text.lines().findFirst().orElse("no answer");
        String shortened = line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "…" : line;
        return shortened + advice(answer == null ? null : answer.getSQLState());
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
        boolean place = state.startsWith("08") || state.startsWith("3D");
        return place ? " (option " + UndeliveredDatabase.URL_OPTION + ")" : "";
    }
}
