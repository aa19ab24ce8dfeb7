package dev.streamconnect.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which state the present problems of a link amount to: the table of severity in
 * docs/operations.md. Immutable.
 *
 * <ul>
 *   <li>The worst problem is the state.
 *   <li>What is STALLED is DEGRADED where the rest of the link goes on: one side of Hermes while
 *       the other one has no such problem, some partitions while others move.
 *   <li>FAILED stays what it is for a part, too: somebody has to mend it.
 *   <li>WAITING for longer than the missing time-out is FAILED. A topic that one side of Hermes
 *       lacks is DEGRADED, however long, unless the other side lacks it, too.
 *   <li>An open transaction is no problem before it has held messages back for as long as a stall
 *       takes.
 * </ul>
 *
 * @param times how long something lasts before the state says so
 * @param sides scopes of problems of one side begin with its name; empty where there is one source
 */
record StateRules(StateTimes times, List<String> sides) {

    /** The first is shown. */
    static final List<LinkState> BY_SEVERITY =
            List.of(
                    LinkState.FAILED,
                    LinkState.WAITING,
                    LinkState.STALLED,
                    LinkState.BLOCKED_BY_TRANSACTION,
                    LinkState.THROTTLED,
                    LinkState.DEGRADED);

    /** With one of these a side does not run, and nothing else needs to explain it. */
    static final Set<LinkState> STOPS_A_SIDE =
            EnumSet.of(LinkState.FAILED, LinkState.WAITING, LinkState.STALLED);

    static StateRules of(LinkDefinition definition) {
        List<String> sides =
                definition.sources().size() < 2
                        ? List.of()
                        : definition.sources().stream().map(s -> s.role().name()).toList();
        return new StateRules(definition.options().times(), sides);
    }

    /**
     * What counts of the problems that are reported, as it is shown.
     *
     * @param reported by scope
     * @param reads true if the link has been given partitions to read
     * @param lastMoved when a message was delivered last; null if none was
     */
    Map<String, Problem> shown(
            Map<String, Problem> reported, boolean reads, Instant lastMoved, Instant now) {
        Map<String, Problem> shown = new LinkedHashMap<>();
        reported.forEach(
                (scope, problem) -> {
                    String otherSide = reads ? otherSide(scope, reported) : "";
                    if (problem.state() == LinkState.WAITING) {
                        Instant since = missingSince(scope, problem, reported);
                        shown.put(scope, waiting(problem, since, otherSide, now));
                    } else if (problem.state() == LinkState.STALLED) {
                        shown.put(scope, stalled(problem, otherSide, lastMoved));
                    } else if (problem.state() != LinkState.BLOCKED_BY_TRANSACTION
                            || isOver(times.stalledAfter(), problem.since(), now)) {
                        shown.put(scope, problem);
                    }
                });
        return shown;
    }

    /** Null if there is none. */
    static Problem worst(Collection<Problem> problems) {
        return problems.stream()
                .min(Comparator.comparingInt(p -> BY_SEVERITY.indexOf(p.state())))
                .orElse(null);
    }

    private Problem waiting(Problem problem, Instant missingSince, String otherSide, Instant now) {
        if (missingSince == null) {
            return problem.as(LinkState.DEGRADED, problem.reason() + otherSide);
        }
        return missingSince.plus(times.missingTimeout()).isBefore(now)
                ? problem.as(
                        LinkState.FAILED,
                        problem.reason()
                                + " (missing for longer than "
                                + seconds(times.missingTimeout())
                                + " s)")
                : problem;
    }

    /**
     * Since when a topic is nowhere; null while the other side has it. Also where that one is away
     * or forbidden: then that is what is wrong with the whole.
     */
    private Instant missingSince(String scope, Problem problem, Map<String, Problem> reported) {
        Instant since = problem.since();
        if (sideOf(scope) != null) {
            for (String side : sides) {
                Instant there =
                        reported.entrySet().stream()
                                .filter(is(side, EnumSet.of(LinkState.WAITING)))
                                .map(missing -> missing.getValue().since())
                                .findFirst()
                                .orElse(null);
                if (there == null) {
                    return null;
                }
                since = there.isAfter(since) ? there : since;
            }
        }
        return since;
    }

    private static Problem stalled(Problem problem, String otherSide, Instant lastMoved) {
        if (!otherSide.isEmpty()) {
            return problem.as(LinkState.DEGRADED, problem.reason() + otherSide);
        }
        return problem.ofPart() && lastMoved != null && lastMoved.isAfter(problem.since())
                ? problem.as(LinkState.DEGRADED, problem.reason() + "; other messages move")
                : problem;
    }

    /** What the other side does, for people; empty if it does not run, or there is none. */
    private String otherSide(String scope, Map<String, Problem> reported) {
        String own = sideOf(scope);
        boolean runs =
                own != null
                        && sides.stream()
                                .filter(side -> !side.equals(own))
                                .anyMatch(side -> !isStopped(side + " ", reported));
        if (!runs) {
            return "";
        }
        Problem drains = reported.get(DrainFirst.SCOPE);
        return "; " + (drains == null ? "the other side runs" : drains.reason());
    }

    /** True if the scope is one of a side that does not run. */
    boolean isStopped(String scope, Map<String, Problem> reported) {
        String side = sideOf(scope);
        return side != null && reported.entrySet().stream().anyMatch(is(side, STOPS_A_SIDE));
    }

    private Predicate<Map.Entry<String, Problem>> is(String side, Set<LinkState> states) {
        return problem ->
                side.equals(sideOf(problem.getKey()))
                        && states.contains(problem.getValue().state());
    }

    /** Null if it is a scope of the whole link. */
    private String sideOf(String scope) {
        return sides.stream().filter(side -> scope.startsWith(side + " ")).findFirst().orElse(null);
    }

    static boolean isOver(Duration limit, Instant since, Instant now) {
        return !since.plus(limit).isAfter(now);
    }

    static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? String.valueOf(duration.toSeconds())
                : String.valueOf(duration.toMillis() / 1000.0);
    }
}
