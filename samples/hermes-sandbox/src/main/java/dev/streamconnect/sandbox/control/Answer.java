package dev.streamconnect.sandbox.control;

import java.nio.charset.StandardCharsets;

/** The answer to a control request. */
record Answer(int status, String type, byte[] body) {

    static Answer json(byte[] body) {
        return new Answer(200, "application/json", body);
    }

    /** One line, for a request that was not carried out. */
    static Answer text(int status, String reason) {
        String line = reason.replaceAll("\\s+", " ").strip() + "\n";
        return new Answer(
                status, "text/plain; charset=utf-8", line.getBytes(StandardCharsets.UTF_8));
    }
}
