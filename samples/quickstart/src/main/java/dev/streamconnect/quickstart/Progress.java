package dev.streamconnect.quickstart;

import dev.streamconnect.quickstart.ReplicatorProcess.State;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The table that grows by a line every few seconds. Not thread-safe. */
final class Progress {

    private static final int LINES_A_HEADING = 15;

    private final Books books;
    private final ClusterReader sideA;
    private final ClusterReader sideB;
    private final Map<String, State> shown = new HashMap<>();
    private int lines;
    private long readA;
    private long readB;

    Progress(Books books, ClusterReader sideA, ClusterReader sideB) {
        this.books = books;
        this.sideA = sideA;
        this.sideB = sideB;
    }

    /** The next line, with a heading where one is due. */
    String next(Duration elapsed, Map<String, State> states, int stored) {
        String heading =
                lines++ % LINES_A_HEADING == 0
                        ? "%7s %9s %7s %9s %7s %7s  %-8s  %s%n"
                                .formatted(
                                        "time", "to SN", "lag", "from SN", "lag", "stored", "near",
                                        "states")
                        : "";
        return heading
                + "%6ds %s %s %7d  %-8s  %s"
                        .formatted(
                                elapsed.toSeconds(),
                                delivered(flow -> !flow.isFrom()),
                                delivered(Flow::isFrom),
                                stored,
                                nearSide(),
                                states(states));
    }

    /** Messages of one direction that have arrived, and those that have not yet. */
    private String delivered(Predicate<Flow> direction) {
        long delivered = books.delivered(direction);
        return "%9d %7d".formatted(delivered, Math.max(0, books.sent(direction) - delivered));
    }

    /** Where what goes to the producer ports arrives. */
    private String nearSide() {
        long newA = sideA.read() - readA;
        long newB = sideB.read() - readB;
        readA += newA;
        readB += newB;
        if (newA > 0 && newB > 0) {
            return "A and B";
        }
        return newA > 0 ? "A" : newB > 0 ? "B" : "none";
    }

    /** Those that do not run, each with its reason the first time only. */
    private String states(Map<String, State> states) {
        String others =
                Flow.ALL.stream()
                        .map(Flow::replication)
                        .map(id -> told(id, states.getOrDefault(id, new State("UNKNOWN", ""))))
                        .filter(told -> !told.isEmpty())
                        .collect(Collectors.joining(", "));
        return others.isEmpty() ? "all RUNNING" : others + ", others RUNNING";
    }

    private String told(String id, State state) {
        State before = shown.put(id, state);
        if (state.name().equals("RUNNING")) {
            return "";
        }
        return state.reason().isEmpty() || state.equals(before)
                ? id + " " + state.name()
                : "%s %s (%s)".formatted(id, state.name(), state.reason());
    }
}
