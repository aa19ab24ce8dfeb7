package dev.streamconnect.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** A token endpoint that knows one client and gives it what it asks for, unsigned. */
final class TokenServer implements AutoCloseable {

    private final HttpServer server;
    private final String authorization;
    private final String principal;

    private TokenServer(HttpServer server, String id, String secret) {
        this.server = server;
        this.principal = id;
        this.authorization =
                "Basic " + Base64.getEncoder().encodeToString((id + ":" + secret).getBytes());
    }

    static TokenServer start(String id, String secret) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        TokenServer started = new TokenServer(server, id, secret);
        server.createContext("/token", started::answer);
        server.start();
        return started;
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/token";
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean known =
                authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"));
        String scope = form.contains("scope=") ? form.replaceAll(".*scope=", "") : "";
        byte[] answer =
                (known
                                ? "{\"access_token\":\""
                                        + token(scope)
                                        + "\",\"token_type\":\"bearer\"}"
                                : "{\"error\":\"invalid_client\"}")
                        .getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(known ? 200 : 401, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private String token(String scope) {
        long now = Instant.now().getEpochSecond();
        String claims =
                "{\"sub\":\"%s\",\"scope\":\"%s\",\"iat\":%d,\"exp\":%d}"
                        .formatted(principal, scope, now, now + 3600);
        return part("{\"alg\":\"none\"}") + "." + part(claims) + ".";
    }

    private static String part(String json) {
        return encoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    private static Base64.Encoder encoder() {
        return Base64.getUrlEncoder().withoutPadding();
    }
}
