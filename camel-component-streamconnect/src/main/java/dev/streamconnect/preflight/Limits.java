package dev.streamconnect.preflight;

import java.time.Duration;

/**
 * How long a preflight may take.
 *
 * @param connect for the name server, and for a connection
 * @param answer for one answer over a connection
 * @param cluster for one question to a cluster
 * @param group for the coordinator of a group, which a new cluster makes at the first question
 * @param total for all
 */
record Limits(Duration connect, Duration answer, Duration cluster, Duration group, Duration total) {

    static final Limits DEFAULT =
            new Limits(
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(8),
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(60));

    int connectMillis() {
        return Math.toIntExact(connect.toMillis());
    }

    int answerMillis() {
        return Math.toIntExact(answer.toMillis());
    }
}
