package dev.streamconnect.servicenow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.record.Secret;
import dev.streamconnect.record.Texts;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a call says of who makes it. A token of OAuth is got when it is needed, used until shortly
 * before its end, and got anew from its refresh token where there is one. Not for several threads.
 */
final class Authorization {

    private static final String PATH = "/oauth_token.do";

    /** A token is not used in its last part. */
    private static final int LAST_PART = 10;

    private static final Duration SHORTEST = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofHours(12);

    private final InstanceUrl instance;
    private final Credentials credentials;
    private final HttpCalls http;
    private final Clock clock;
    private Secret token;
    private Instant tokenUntil;
    private Secret refreshToken;

    Authorization(InstanceUrl instance, Credentials credentials, HttpCalls http, Clock clock) {
        this.instance = instance;
        this.credentials = credentials;
        this.http = http;
        this.clock = clock;
    }

    /** The value of the header {@code Authorization}. */
    String header() throws InstanceException, InterruptedException {
        if (!credentials.isOAuth()) {
            String pair = credentials.user() + ":" + credentials.password().reveal();
            return "Basic "
                    + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }
        if (token == null || !clock.instant().isBefore(tokenUntil)) {
            fetch();
        }
        return "Bearer " + token.reveal();
    }

    /** The token was not taken. Returns false where another one would be none either. */
    boolean renew() {
        boolean had = token != null;
        token = null;
        return had;
    }

    private void fetch() throws InstanceException, InterruptedException {
        token = null;
        if (refreshToken != null) {
            Secret known = refreshToken;
            refreshToken = null;
            try {
                take(ask("refresh_token", Map.of("refresh_token", known)), known);
                return;
            } catch (InstanceException e) {
                if (e.status() == 0) {
                    refreshToken = known;
                    throw e;
                }
                // It has ended, too: begin anew.
            }
        }
        if (credentials.user() == null) {
            take(ask("client_credentials", Map.of()), null);
        } else {
            take(
                    ask(
                            "password",
                            Map.of(
                                    "username",
                                    Secret.of(credentials.user()),
                                    "password",
                                    credentials.password())),
                    null);
        }
    }

    private JsonNode ask(String grant, Map<String, Secret> more)
            throws InstanceException, InterruptedException {
        Map<String, Secret> form = new LinkedHashMap<>();
        form.put("grant_type", Secret.of(grant));
        form.put("client_id", Secret.of(credentials.clientId()));
        form.put("client_secret", credentials.clientSecret());
        form.putAll(more);
        String text =
                form.entrySet().stream()
                        .map(e -> e.getKey() + "=" + encoded(e.getValue().reveal()))
                        .collect(Collectors.joining("&"));
        HttpCalls.Answer answer =
                http.send(
                        HttpRequest.newBuilder(instance.uri().resolve(PATH))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .header("Accept", "application/json")
                                .POST(HttpRequest.BodyPublishers.ofString(text)));
        String where = instance.host() + PATH;
        if (answer.status() == 400 || answer.status() == 401 || answer.status() == 403) {
            throw InstanceException.refused(
                    where,
                    "gives no token for the grant "
                            + grant
                            + " (status "
                            + answer.status()
                            + errorOf(answer)
                            + "); check serviceNowClientId, its secret, and the user",
                    answer.status());
        }
        AnswerJson.requireOk(where, answer, clock);
        return AnswerJson.read(where, answer);
    }

    private static String errorOf(HttpCalls.Answer answer) {
        String error = AnswerJson.tolerant(answer).path("error").asText("");
        return error.isEmpty() ? "" : ", " + Texts.shown(error);
    }

    private void take(JsonNode answer, Secret known) throws InstanceException {
        String value = answer.path("access_token").asText("");
        if (!value.matches("[\\x21-\\x7E]{1,8192}")) {
            throw InstanceException.answer(
                    instance.host() + PATH, "answers no access_token; is it the right instance?");
        }
        token = Secret.of(value);
        Duration life = Duration.ofSeconds(Math.max(0, answer.path("expires_in").asLong(0)));
        life = life.compareTo(LONGEST) > 0 ? LONGEST : life;
        life = life.minus(life.dividedBy(LAST_PART));
        tokenUntil = clock.instant().plus(life.compareTo(SHORTEST) < 0 ? SHORTEST : life);
        String refresh = answer.path("refresh_token").asText("");
        refreshToken = refresh.isEmpty() ? known : Secret.of(refresh);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
