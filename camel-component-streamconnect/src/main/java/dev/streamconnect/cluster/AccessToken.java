package dev.streamconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerToken;

/**
 * A token that a token endpoint gave.
 *
 * @param value shown to brokers; secret
 * @param scope what it is good for, may be empty
 * @param lifetimeMs when it ends, milliseconds since the epoch
 * @param principalName whom it is for, for log lines
 * @param startTimeMs when it was issued; null if unknown
 */
record AccessToken(
        String value, Set<String> scope, long lifetimeMs, String principalName, Long startTimeMs)
        implements OAuthBearerToken {

    private static final ObjectMapper JSON = new ObjectMapper();

    AccessToken {
        scope = Set.copyOf(scope);
    }

    /**
     * Reads the answer of a token endpoint. A token that is no JWT ends by {@code expires_in}.
     *
     * @param clientId stands for the principal where the token names none
     * @throws TokenException if there is no usable token in it; never holds a piece of it
     */
    static AccessToken of(String answer, String clientId, Instant now) {
        JsonNode fields = json(answer);
        String value = fields.path("access_token").asText("").strip();
        if (value.isEmpty()) {
            throw TokenException.refused(
                    "sasl.tokenEndpointUrl: its answer holds no access_token; correct the address");
        }
        JsonNode claims = claims(value);
        long end =
                claims.path("exp").isNumber()
                        ? claims.path("exp").asLong() * 1000
                        : now.toEpochMilli() + fields.path("expires_in").asLong(0) * 1000;
        if (end <= now.toEpochMilli()) {
            throw TokenException.refused(
                    "sasl.tokenEndpointUrl: it gave a token that ended on "
                            + Instant.ofEpochMilli(end)
                            + "; check the clocks of this machine and of the token endpoint");
        }
        return new AccessToken(
                value,
                scopes(claims.has("scope") ? claims.path("scope") : fields.path("scope")),
                end,
                claims.path("sub").asText(clientId),
                claims.path("iat").isNumber()
                        ? claims.path("iat").asLong() * 1000
                        : now.toEpochMilli());
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw TokenException.refused(
                    "sasl.tokenEndpointUrl: its answer is no JSON; correct the address");
        }
    }

    /** Those of a JWT; none where the token is another one. */
    private static JsonNode claims(String token) {
        String[] parts = token.split("[.]", -1);
        try {
            return parts.length == 3
                    ? JSON.readTree(Base64.getUrlDecoder().decode(parts[1]))
                    : JSON.createObjectNode();
        } catch (IOException | IllegalArgumentException e) {
            return JSON.createObjectNode();
        }
    }

    private static Set<String> scopes(JsonNode scope) {
        Set<String> scopes = new HashSet<>();
        scope.forEach(each -> scopes.add(each.asText()));
        if (scope.isTextual() && !scope.asText().isBlank()) {
            scopes.addAll(List.of(scope.asText().strip().split("\\s+")));
        }
        return scopes;
    }

    /** Never shows the token. */
    @Override
    public String toString() {
        return "AccessToken[" + principalName + ", until " + Instant.ofEpochMilli(lifetimeMs) + "]";
    }
}
