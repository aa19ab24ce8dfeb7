package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredState;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.camel.Message;

/**
 * Which rows are meant beside the id or pattern, and how many are listed at most; null does not
 * restrict.
 */
record RowSelection(
        Reason reason, StoredState state, Instant from, Instant to, List<Long> rows, int limit) {

    private static final int MOST_SHOWN = 20;

    RowSelection {
        if (from != null && to != null && from.isAfter(to)) {
            throw new IllegalArgumentException("from: " + from + " is after to, " + to);
        }
    }

    /**
     * Reads the options, and the headers that take their place.
     *
     * @param request null for the options alone
     * @throws IllegalArgumentException for a wrong value; one line
     */
    static RowSelection of(RowOptions options, Message request) {
        return new RowSelection(
                read(
                        "reason",
                        options.getReason(),
                        header(request, ReplicationConstants.REASON),
                        text -> text.constant(Reason.class)),
                read(
                        "state",
                        options.getState(),
                        header(request, ReplicationConstants.STATE),
                        text -> text.constant(StoredState.class)),
                read(
                        "from",
                        options.getFrom(),
                        header(request, ReplicationConstants.FROM),
                        SelectorText::time),
                read(
                        "to",
                        options.getTo(),
                        header(request, ReplicationConstants.TO),
                        SelectorText::time),
                read(
                        "rows",
                        options.getRows(),
                        header(request, ReplicationConstants.ROWS),
                        SelectorText::ids),
                read(
                        "limit",
                        options.getLimit(),
                        header(request, ReplicationConstants.LIMIT),
                        text -> text.upTo(RowOptions.MAX_LIMIT)));
    }

    private static Object header(Message request, String name) {
        return request == null ? null : request.getHeader(name);
    }

    private static <T> T read(
            String name, Object option, Object header, Function<SelectorText, T> parse) {
        Object value = header == null ? option : header;
        return value == null ? null : parse.apply(new SelectorText(name, value));
    }

    /** True if anything restricts the rows. */
    boolean isGiven() {
        return !within(null).isBroad();
    }

    /**
     * @param links null for all
     */
    RowSelector within(List<String> links) {
        return new RowSelector(links, reason, state, from, to, rows, null);
    }

    /** As options of a URI, for people. */
    @Override
    public String toString() {
        if (!isGiven()) {
            return "all";
        }
        return Stream.of(
                        part("reason", reason),
                        part("state", state),
                        part("from", from),
                        part("to", to),
                        part(
                                "rows",
                                rows == null || rows.size() <= MOST_SHOWN
                                        ? rows
                                        : rows.size() + " ids"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static String part(String name, Object value) {
        return value == null ? "" : name + "=" + value;
    }
}
