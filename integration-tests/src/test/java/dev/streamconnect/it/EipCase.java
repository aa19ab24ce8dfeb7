package dev.streamconnect.it;

import java.util.List;
import java.util.function.Function;

/**
 * A route with a step between the two ends of a topic replication, and what it should make of a
 * message. {@code ID} in the YAML stands for the topic replication.
 *
 * @param steps the route's steps, YAML
 * @param beside further YAML at the top level, such as a second route
 * @param outputs values that arrive, in order, for the number in a message
 * @param headers header list that arrives, as text, for a value that arrived; null for the source's
 */
record EipCase(
        String name,
        String steps,
        String beside,
        Function<Integer, List<String>> outputs,
        Function<String, String> headers) {

    /** Headers of every source message. */
    static final String SOURCE_HEADERS = "a=1,h=old1,h=old2,drop=x,CamelFoo=kept";

    private static final String SEND = "- to: replication:ID\n";

    static EipCase filter() {
        return of(
                "filter",
                """
                - filter:
                    simple: "${bodyAs(String)} regex '[0-9]*[02468]'"
                    steps:
                      - to: replication:ID
                """,
                n -> n % 2 == 0 ? List.of("" + n) : List.of());
    }

    static EipCase transform() {
        return of(
                "transform",
                "- setBody:\n    simple: \"n=${bodyAs(String)}\"\n" + SEND,
                n -> List.of("n=" + n));
    }

    static EipCase split() {
        return of(
                "split",
                """
                - setBody:
                    simple: "${bodyAs(String)}a,${bodyAs(String)}b,${bodyAs(String)}c"
                - split:
                    tokenize: ","
                    steps:
                      - to: replication:ID
                """,
                n -> List.of(n + "a", n + "b", n + "c"));
    }

    static EipCase choice() {
        return new EipCase(
                "choice",
                """
                - choice:
                    when:
                      - simple: "${bodyAs(String)} regex '[0-9]*[02468]'"
                        steps:
                          - setHeader: { name: kind, constant: even }
                          - to: replication:ID
                    otherwise:
                      steps:
                        - setHeader: { name: kind, constant: odd }
                        - to: replication:ID
                """,
                "",
                n -> List.of("" + n),
                value ->
                        SOURCE_HEADERS
                                + ",kind="
                                + (Integer.parseInt(value) % 2 == 0 ? "even" : "odd"));
    }

    static EipCase asyncDelay() {
        return of(
                "delay",
                """
                - delay:
                    asyncDelayed: true
                    simple: "${random(1,20)}"
                """
                        + SEND,
                n -> List.of("" + n));
    }

    static EipCase threads() {
        return of(
                "threads",
                """
                - threads: { poolSize: 8, maxPoolSize: 8, callerRunsWhenRejected: "true" }
                - delay:
                    simple: "${random(0,3)}"
                """
                        + SEND,
                n -> List.of("" + n));
    }

    static EipCase multicast() {
        return new EipCase(
                "multicast",
                """
                - multicast:
                    steps:
                      - to: replication:ID
                      - to: direct:copy-ID
                """,
                """
                - route:
                    id: copy-ID
                    from:
                      uri: direct:copy-ID
                      steps:
                        - setBody:
                            simple: "copy of ${bodyAs(String)}"
                        - to: replication:ID
                """,
                n -> List.of("" + n, "copy of " + n),
                null);
    }

    static EipCase handled() {
        return new EipCase(
                "handled",
                """
                - choice:
                    when:
                      - simple: "${bodyAs(String)} regex '[0-9]*7'"
                        steps:
                          - throwException:
                              exceptionType: java.lang.IllegalStateException
                              message: seven
                """
                        + SEND,
                """
                - onException:
                    exception: [java.lang.IllegalStateException]
                    handled: { constant: "true" }
                    steps:
                      - setHeader: { name: failed, simple: "${exception.message}" }
                      - to: replication:ID
                """,
                n -> List.of("" + n),
                value -> SOURCE_HEADERS + (value.endsWith("7") ? ",failed=seven" : ""));
    }

    static EipCase doTry() {
        return new EipCase(
                "try",
                """
                - doTry:
                    steps:
                      - filter:
                          simple: "${bodyAs(String)} regex '[0-9]*7'"
                          steps:
                            - throwException:
                                exceptionType: java.lang.IllegalStateException
                                message: seven
                    doCatch:
                      - exception: [java.lang.IllegalStateException]
                        steps:
                          - setHeader: { name: caught, constant: "yes" }
                """
                        + SEND,
                "",
                n -> List.of("" + n),
                value -> SOURCE_HEADERS + (value.endsWith("7") ? ",caught=yes" : ""));
    }

    static EipCase changedHeaders() {
        return new EipCase(
                "headers",
                """
                - setHeader: { name: h, constant: new }
                - removeHeader: { name: drop }
                - setHeader: { name: added, constant: last }
                """
                        + SEND,
                "",
                n -> List.of("" + n),
                value -> "a=1,h=new,CamelFoo=kept,added=last");
    }

    static List<EipCase> all() {
        return List.of(
                filter(),
                transform(),
                split(),
                choice(),
                asyncDelay(),
                threads(),
                multicast(),
                handled(),
                doTry(),
                changedHeaders());
    }

    private static EipCase of(String name, String steps, Function<Integer, List<String>> outputs) {
        return new EipCase(name, steps, "", outputs, null);
    }

    String expectedHeaders(String value) {
        return headers == null ? SOURCE_HEADERS : headers.apply(value);
    }

    double outputsPerMessage() {
        int outputs = 0;
        for (int number = 0; number < 20; number++) {
            outputs += outputs().apply(number).size();
        }
        return outputs / 20.0;
    }

    /** The whole routes file. */
    String yaml(String id) {
        String route =
                "- route:\n    id: "
                        + id
                        + "\n    from:\n      uri: replication:"
                        + id
                        + "\n      steps:\n"
                        + steps.indent(8);
        return (beside + route).replace("ID", id);
    }

    @Override
    public String toString() {
        return name;
    }
}
