package dev.streamconnect.servicenow;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.streamconnect.record.Texts;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Reads what an instance answers as JSON, and says what is wrong with an answer that is none. */
final class AnswerJson {

    private static final int MAX_DEPTH = 20;
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final ObjectMapper MAPPER =
            new ObjectMapper(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

    private AnswerJson() {}

    /**
     * @param where what was asked, for people
     * @throws InstanceException if the status is not one of success
     */
    static void requireOk(String where, HttpCalls.Answer answer, Clock clock)
            throws InstanceException {
        int status = answer.status();
        if (status == 200 || status == 201) {
            return;
        }
        if (status == 429 || status == 408 || status >= 500) {
            throw InstanceException.unreachable(
                    where,
                    "answers status "
                            + status
                            + (status == 429 ? ", too many requests" : "")
                            + error(answer),
                    retryAfter(answer.header("Retry-After"), clock));
        }
        if (status >= 300 && status < 400) {
            throw InstanceException.refused(
                    where,
                    "redirects to "
                            + Texts.shown(host(answer.header("Location")))
                            + ", which is not followed; write the instance's own address",
                    status);
        }
        String mend =
                switch (status) {
                    case 401 -> "; the user, its password or its token is not accepted";
                    case 403 -> "; the user lacks the right";
                    case 400, 404 -> "; is the table called so?";
                    default -> "";
                };
        throw InstanceException.refused(
                where, "answers status " + status + error(answer) + mend, status);
    }

    private static String error(HttpCalls.Answer answer) {
        String message = tolerant(answer).path("error").path("message").asText("");
        return message.isBlank() ? "" : " (" + Texts.shown(message) + ")";
    }

    private static String host(String location) {
        try {
            String authority = URI.create(location).getRawAuthority();
            return authority == null ? "another place" : authority;
        } catch (IllegalArgumentException e) {
            return "another place";
        }
    }

    /** Seconds or a date of HTTP; null if it is neither, an hour at most. */
    static Duration retryAfter(String text, Clock clock) {
        Duration wait;
        if (text.matches("\\d{1,9}")) {
            wait = Duration.ofSeconds(Long.parseLong(text));
        } else {
            try {
                ZonedDateTime until =
                        ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
                wait = Duration.between(clock.instant(), until.toInstant());
            } catch (DateTimeParseException e) {
                return null;
            }
        }
        if (wait.isNegative()) {
            return Duration.ZERO;
        }
        return wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait;
    }

    /**
     * The body as JSON.
     *
     * @throws InstanceException if it is none
     */
    static JsonNode read(String where, HttpCalls.Answer answer) throws InstanceException {
        String type = answer.header("Content-Type").toLowerCase(Locale.ROOT);
        if (!type.startsWith("application/json")) {
            throw InstanceException.answer(
                    where,
                    "answers "
                            + (type.isEmpty() ? "no type" : Texts.shown(type))
                            + " in place of JSON; a login page, a proxy, or an instance that sleeps");
        }
        try {
            JsonNode root = MAPPER.readTree(answer.body());
            if (root == null || root.isMissingNode()) {
                throw InstanceException.answer(where, "answers nothing");
            }
            return root;
        } catch (JsonProcessingException e) {
            String at =
                    e.getLocation() == null
                            ? ""
                            : " at line "
                                    + e.getLocation().getLineNr()
                                    + ", column "
                                    + e.getLocation().getColumnNr();
            throw InstanceException.answer(where, "answers what is no JSON" + at);
        } catch (IOException e) {
            throw InstanceException.answer(
                    where, "answers what is no JSON (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** The body as JSON; a missing node if it is none. */
    static JsonNode tolerant(HttpCalls.Answer answer) {
        try {
            JsonNode root = MAPPER.readTree(answer.body());
            return root == null ? MissingNode.getInstance() : root;
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }
}
