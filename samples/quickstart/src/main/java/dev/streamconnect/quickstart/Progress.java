package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.ReplicatorProcess.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The table that grows by a line every few seconds. Not thread-safe. */
final class Progress {

    private static final int LINES_A_HEADING = 15;

    private final Books books;
    private final SideReader sideA;
    private final SideReader sideB;
    private final Map<String, State> shown = new HashMap<>();
    private int lines;
    private long readA;
    private long readB;

    Progress(Books books, SideReader sideA, SideReader sideB) {
        this.books = books;
        this.sideA = sideA;
        this.sideB = sideB;
    }

    /** The next line, with a heading where one is due. */
    String next(Duration elapsed, Map<String, State> states, int stored) {
        String heading =
                lines++ % LINES_A_HEADING == 0
                        ? "%7s %10s %10s %8s %7s  %-8s  %s%n"
                                .formatted(
                                        "time",
                                        "sent",
                                        "delivered",
                                        "lag",
                                        "stored",
                                        "receives",
                                        "states")
                        : "";
        long delivered = books.delivered();
        long sent = Math.max(delivered, books.sent());
        return heading
                + "%6ds %10d %10d %8d %7d  %-8s  %s"
                        .formatted(
                                elapsed.toSeconds(),
                                sent,
                                delivered,
                                sent - delivered,
                                stored,
                                receivingSide(),
                                Flow.ALL.stream()
                                        .map(flow -> flow.replication() + " " + state(flow, states))
                                        .collect(Collectors.joining(", ")));
    }

    private String receivingSide() {
        long newA = sideA.read() - readA;
        long newB = sideB.read() - readB;
        readA += newA;
        readB += newB;
        if (newA > 0 && newB > 0) {
            return "A and B";
        }
        return newA > 0 ? "A" : newB > 0 ? "B" : "none";
    }

    /** With its reason the first time only. */
    private String state(Flow flow, Map<String, State> states) {
        State state = states.get(flow.replication());
        State before = shown.put(flow.replication(), state);
        if (state == null) {
            return "UNKNOWN";
        }
        return state.reason().isEmpty() || state.equals(before)
                ? state.name()
                : state.name() + " (" + state.reason() + ")";
    }
}
