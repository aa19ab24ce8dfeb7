package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.streamconnect.camel.CapturedLogs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.admin.Admin;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("case-S10")
class TokenLoginTest {

    private static final String SECRET = "hush-client";
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String answer = "{}";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/token",
                exchange -> {
                    asked.add(
                            exchange.getRequestHeaders().getFirst("Authorization")
                                    + " "
                                    + new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8));
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("Location", url() + "2");
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        System.clearProperty(ALLOWED);
    }

    @Test
    @DisplayName("a client is built with a token, asked for once for all clients of the connection")
    void token() {
        answer = "{\"access_token\": \"" + jwt(60) + "\", \"token_type\": \"bearer\"}";
        try (Admin one = KafkaClients.admin(settings(), "one");
                Admin two = KafkaClients.admin(settings(), "two")) {
            assertThat(asked)
                    .containsExactly(
                            "Basic "
                                    + Base64.getEncoder()
                                            .encodeToString(("me:" + SECRET).getBytes())
                                    + " grant_type=client_credentials&scope=a+b");
        }
    }

    @Test
    @DisplayName("a token that is no JWT ends by the answer's own word")
    void opaqueToken() {
        Instant now = Instant.parse("2026-03-01T00:00:00Z");
        AccessToken token =
                AccessToken.of(
                        "{\"access_token\":\"hush-opaque\",\"expires_in\":60,\"scope\":\"a b\"}",
                        "me",
                        now);
        assertThat(token.lifetimeMs()).isEqualTo(now.plusSeconds(60).toEpochMilli());
        assertThat(token.principalName()).isEqualTo("me");
        assertThat(token.scope()).containsExactlyInAnyOrder("a", "b");
        assertThat(token.toString()).doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401 | {\"error\":\"invalid_client\",\"error_description\":\"no hush-client\"} | true |"
                        + " sasl.clientId, sasl.clientSecret: http | answers 401: invalid_client, no ***; correct",
                "400 | {\"error\":\"invalid_scope\"} | true | sasl.scope: http | correct the scope",
                "404 | not here | true | sasl.tokenEndpointUrl: http | answers 404; correct the address",
                "302 | | true | sasl.tokenEndpointUrl: http | answers 302; correct the address",
                "503 | | false | sasl.tokenEndpointUrl: http | answers 503",
                "200 | <html> | true | sasl.tokenEndpointUrl: its answer is no JSON | correct",
                "200 | {\"token\":\"hush\"} | true | sasl.tokenEndpointUrl: its answer holds no access_token |"
                        + " correct",
                "200 | {\"access_token\":\"hush\"} | true | sasl.tokenEndpointUrl: it gave a token that ended"
                        + " on | clocks"
            })
    @DisplayName(
            "each answer without a token names connection and field, in one line without a secret")
    void refusals(int code, String body, boolean refusal, String option, String mend) {
        status = code;
        answer = body == null ? "" : body;
        try (CapturedLogs logs = new CapturedLogs("", Level.INFO)) {
            TokenException told = refused(settings());
            assertThat(told.isRefusal()).isEqualTo(refusal);
            assertThat(told.getMessage())
                    .startsWith("plant (localhost:1): " + option)
                    .contains(mend)
                    .doesNotContain("hush", "\n");
            assertThat(asked).hasSize(1);
            assertThat(logs.lines()).noneMatch(line -> line.contains("hush"));
        }
    }

    @Test
    @DisplayName("an endpoint that is away, or swallows everything, is given up in time")
    void away() throws IOException {
        server.stop(0);
        assertThat(refused(settings()).isRefusal()).isFalse();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            TokenException told =
                    refused(
                            settings(
                                    "sasl.oauthbearer.token.endpoint.url",
                                    "http://localhost:" + silent.getLocalPort() + "/token?k=hush",
                                    "sasl.login.read.timeout.ms",
                                    "200"));
            assertThat(told.isRefusal()).isFalse();
            assertThat(told.getMessage()).contains("does not answer").doesNotContain("hush");
        }
        assertThat(
                        refused(
                                        settings(
                                                "sasl.oauthbearer.token.endpoint.url",
                                                "http://no-such-host.invalid/token"))
                                .getMessage())
                .contains("the host of http://no-such-host.invalid/token is unknown");
    }

    @Test
    @DisplayName("addresses that the JVM's option of Kafka does not allow are not asked")
    void allowedUrls() {
        System.setProperty(ALLOWED, "https://other/token");
        assertThat(refused(settings()).getMessage()).contains("sasl.tokenEndpointUrl: ", ALLOWED);
        assertThat(asked).isEmpty();
        System.setProperty(ALLOWED, "https://other/token, " + url());
        answer = "{\"access_token\": \"" + jwt(60) + "\"}";
        KafkaClients.admin(settings(), "one").close();
        assertThat(asked).hasSize(1);
    }

    private static TokenException refused(ConnectionSettings settings) {
        return catchThrowableOfType(
                TokenException.class, () -> KafkaClients.admin(settings, "probe").close());
    }

    private ConnectionSettings settings(String... more) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("security.protocol", "SASL_PLAINTEXT");
        properties.put("sasl.mechanism", "OAUTHBEARER");
        properties.put("sasl.login.callback.handler.class", TokenLogin.class);
        properties.put("sasl.oauthbearer.token.endpoint.url", url());
        properties.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required"
                        + " clientId=\"me\" clientSecret=\""
                        + SECRET
                        + "\" scope=\"a b\";");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        return new ConnectionSettings(
                "plant", ClientRole.CUSTOMER, "localhost:1", null, properties);
    }

    private String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/token";
    }

    private static String jwt(int seconds) {
        long now = Instant.now().getEpochSecond();
        return part("{\"alg\":\"none\"}")
                + "."
                + part("{\"sub\":\"plant\",\"iat\":" + now + ",\"exp\":" + (now + seconds) + "}")
                + ".";
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes());
    }
}
