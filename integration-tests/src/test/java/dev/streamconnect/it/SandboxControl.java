package dev.streamconnect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/** The control port, as plain requests. {@link Sandbox} has methods for the usual ones. */
public final class SandboxControl {

    /** A request that the sandbox did not carry out; the message is its reason. */
    public static final class Refused extends RuntimeException {
        private final int status;

        Refused(int status, String reason) {
            super(reason);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
    private final ObjectMapper json = new ObjectMapper();
    private final String base;

    SandboxControl(String base) {
        this.base = base;
    }

    /** {@code http://127.0.0.1:PORT}. */
    public String address() {
        return base;
    }

    /**
     * Carries out an action and returns when its effect is there.
     *
     * @param parameters null values are left out
     * @throws Refused with the reason
     */
    public JsonNode post(String path, Map<String, ?> parameters) {
        String query =
                parameters.entrySet().stream()
                        .filter(entry -> entry.getValue() != null)
                        .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                        .collect(Collectors.joining("&"));
        return send(
                HttpRequest.newBuilder(URI.create(base + path + "?" + query))
                        .POST(HttpRequest.BodyPublishers.noBody()));
    }

    public JsonNode status() {
        return get("/status");
    }

    /** Positions of all consumer groups. */
    public JsonNode groups() {
        return get("/groups");
    }

    private JsonNode get(String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path)).GET());
    }

    private JsonNode send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new Refused(response.statusCode(), response.body().strip());
            }
            return json.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String encoded(Object value) {
        return URLEncoder.encode(value.toString(), StandardCharsets.UTF_8);
    }
}
