package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.NearNames;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the value of a selector, from an option or a header. An empty one is refused: read as none,
 * it would choose more than was meant.
 */
final class SelectorText {

    private static final int MOST_SHOWN = 60;

    /** A URI reads the + of a zone so, unless it is written as %2B. */
    private static final Pattern PLUS_READ_AS_SPACE = Pattern.compile(" (?=\\d\\d:\\d\\d$)");

    private final String option;
    private final String text;

    /**
     * @param option its name in messages
     * @param value not null
     */
    SelectorText(String option, Object value) {
        this.option = option;
        this.text = text(value).strip();
        if (text.isEmpty()) {
            throw new IllegalArgumentException(option + ": is empty; give a value or leave it out");
        }
    }

    private static String text(Object value) {
        if (value instanceof Date date) {
            return date.toInstant().toString();
        }
        if (value instanceof Collection<?> many) {
            return many.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
        return value.toString();
    }

    /** One of an enum's constants, in upper or lower case. */
    <E extends Enum<E>> E constant(Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        List<String> all = Arrays.stream(type.getEnumConstants()).map(Enum::name).toList();
        List<String> near = NearNames.of(text, all);
        throw new IllegalArgumentException(
                option
                        + ": there is no "
                        + shown(text)
                        + "; "
                        + (near.isEmpty()
                                ? "use one of " + String.join(", ", all)
                                : "did you mean " + String.join(" or ", near) + "?"));
    }

    /** A point in time with its zone. */
    Instant time() {
        try {
            return OffsetDateTime.parse(PLUS_READ_AS_SPACE.matcher(text).replaceFirst("+"))
                    .toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    option
                            + ": "
                            + shown(text)
                            + " is not a time; write it as 2026-01-31T08:00:00Z",
                    e);
        }
    }

    /** Ids of rows. */
    List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            ids.add(positive(part.strip(), Long.MAX_VALUE, "give ids of rows, with commas"));
        }
        return List.copyOf(ids);
    }

    /** True if it is this word. */
    boolean is(String word) {
        return text.equalsIgnoreCase(word);
    }

    /** True if it is written in digits alone. */
    boolean isNumber() {
        return text.matches("[0-9]+");
    }

    /** A number from 0 on. */
    long notNegative() {
        long value;
        try {
            value = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    option + ": " + shown(text) + " is not a number; use 0 or more", e);
        }
        if (value < 0) {
            throw new IllegalArgumentException(
                    option + ": " + value + " is out of bounds; use 0 or more");
        }
        return value;
    }

    /** A number from 1 to the largest. */
    int upTo(int largest) {
        return (int) positive(text, largest, "use 1 to " + largest);
    }

    private long positive(String number, long largest, String advice) {
        long value;
        try {
            value = Long.parseLong(number);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    option + ": " + shown(number) + " is not a number; " + advice, e);
        }
        if (value < 1 || value > largest) {
            throw new IllegalArgumentException(
                    option + ": " + value + " is out of bounds; " + advice);
        }
        return value;
    }

    /** In one line, whatever it is. */
    private static String shown(String value) {
        String line = value.replaceAll("\\p{Cntrl}", " ");
        return "'"
                + (line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "…" : line)
                + "'";
    }
}
