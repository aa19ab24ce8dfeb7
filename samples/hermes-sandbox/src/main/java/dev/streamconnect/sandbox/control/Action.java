package dev.streamconnect.sandbox.control;

import java.util.Set;

/**
 * One control request.
 *
 * @param method {@code GET} or {@code POST}
 * @param parameters the names that it understands; others are refused
 * @param work returns what becomes the JSON answer
 */
record Action(String method, Set<String> parameters, Work work) {

    /** What a request does. */
    @FunctionalInterface
    interface Work {
        Object perform(Parameters parameters) throws Exception;
    }

    static Action get(Work work) {
        return new Action("GET", Set.of(), work);
    }

    static Action post(Work work, String... parameters) {
        return new Action("POST", Set.of(parameters), work);
    }
}
