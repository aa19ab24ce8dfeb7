package dev.streamconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;

/**
 * Asks an OAuth 2 token endpoint for a token by the client credentials grant. One request without a
 * retry: Kafka logs in under a lock of the whole JVM, so that waiting here holds up other
 * connections.
 *
 * @param url of the endpoint
 * @param clientId of the client
 * @param clientSecret of the client
 * @param scope to ask for; null for the endpoint's default
 * @param connectMillis limit for the connection
 * @param readMillis limit for each part of the answer
 * @param tls for https; null for Java's own
 */
record TokenEndpoint(
        URI url,
        String clientId,
        String clientSecret,
        String scope,
        int connectMillis,
        int readMillis,
        SSLSocketFactory tls) {

    private static final int MOST_BYTES = 1024 * 1024;
    private static final int MOST_TOLD = 200;

    /**
     * Asks.
     *
     * @throws TokenException one line: field, reason, mend; never a secret
     */
    AccessToken ask(Clock clock) {
        HttpURLConnection connection = null;
        try {
            connection = (HttpURLConnection) url.toURL().openConnection();
            int status = post(connection);
            if (status / 100 == 2) {
                return AccessToken.of(body(connection.getInputStream()), clientId, clock.instant());
            }
            throw refused(status, body(connection.getErrorStream()));
        } catch (SSLException e) {
            throw TokenException.refused(
                    "sasl.tokenEndpointUrl: TLS with "
                            + place()
                            + " fails ("
                            + Causes.shortest(e)
                            + "); put the authority of its certificate into the truststore of the connection,"
                            + " or correct the address");
        } catch (UnknownHostException e) {
            throw TokenException.away(
                    "sasl.tokenEndpointUrl: the host of "
                            + place()
                            + " is unknown; correct it, or look at the name server");
        } catch (IOException e) {
            throw TokenException.away(
                    "sasl.tokenEndpointUrl: "
                            + place()
                            + " does not answer ("
                            + e.getMessage()
                            + ")");
        } finally {
            if (connection != null) {
                connection.disconnect();
            }
        }
    }

    private int post(HttpURLConnection connection) throws IOException {
        if (tls != null && connection instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(tls);
        }
        connection.setConnectTimeout(connectMillis);
        connection.setReadTimeout(readMillis);
        // The secret goes to this address alone.
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("Content-Type", "application/x-www-form-urlencoded");
        connection.setRequestProperty(
                "Authorization",
                "Basic "
                        + Base64.getEncoder()
                                .encodeToString(
                                        (clientId + ":" + clientSecret)
                                                .getBytes(StandardCharsets.UTF_8)));
        connection.setDoOutput(true);
        String form =
                "grant_type=client_credentials"
                        + (scope == null || scope.isBlank()
                                ? ""
                                : "&scope="
                                        + URLEncoder.encode(scope.strip(), StandardCharsets.UTF_8));
        connection.getOutputStream().write(form.getBytes(StandardCharsets.US_ASCII));
        return connection.getResponseCode();
    }

    private static String body(InputStream stream) throws IOException {
        if (stream == null) {
            return "";
        }
        try (stream) {
            return new String(stream.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        }
    }

    private TokenException refused(int status, String body) {
        String error = error(body);
        String answer = place() + " answers " + status + (error.isEmpty() ? "" : ": " + error);
        if (status >= 500 || status == 429) {
            return TokenException.away("sasl.tokenEndpointUrl: " + answer);
        }
        if (error.startsWith("invalid_scope")) {
            return TokenException.refused("sasl.scope: " + answer + "; correct the scope");
        }
        return status == 400 || status == 401 || status == 403
                ? TokenException.refused(
                        "sasl.clientId, sasl.clientSecret: " + answer + "; correct id or secret")
                : TokenException.refused(
                        "sasl.tokenEndpointUrl: " + answer + "; correct the address");
    }

    /** Code and description as RFC 6749 names them, in one line and without the secret. */
    private String error(String body) {
        try {
            JsonNode fields = new ObjectMapper().readTree(body);
            String code = fields.path("error").asText("");
            String description = fields.path("error_description").asText("");
            String told = description.isEmpty() ? code : code + ", " + description;
            String line = told.replace(clientSecret, "***").replaceAll("\\p{Cntrl}+", " ").strip();
            return line.substring(0, Math.min(MOST_TOLD, line.length()));
        } catch (IOException e) {
            return "";
        }
    }

    /** The address without what may hold a secret. */
    private String place() {
        return url.getScheme()
                + "://"
                + url.getHost()
                + (url.getPort() < 0 ? "" : ":" + url.getPort())
                + Optional.ofNullable(url.getPath()).orElse("");
    }

    /** Never shows the secret. */
    @Override
    public String toString() {
        return "TokenEndpoint[" + place() + ", clientId=" + clientId + "]";
    }
}
