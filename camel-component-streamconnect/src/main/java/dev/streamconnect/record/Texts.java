package dev.streamconnect.record;

/** Text of a user inside of one line of a message: bounded and without control characters. */
public final class Texts {

    private static final int LIMIT = 80;

    private Texts() {}

    /** Like {@link #shown}, in quotes. */
    public static String quote(String text) {
        return "'" + shown(text) + "'";
    }

    /** At most 80 characters of it, each that can't be seen as a question mark; never null. */
    public static String shown(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(LIMIT).forEach(c -> line.appendCodePoint(visible(c) ? c : '?'));
        return text.codePointCount(0, text.length()) > LIMIT ? line + "..." : line.toString();
    }

    private static boolean visible(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
