package dev.streamconnect.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;

/** An HTTP server that can refuse, and the step of a route that calls it. */
final class PriceService implements Processor, AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicInteger calls = new AtomicInteger();
    private volatile boolean refuses;

    private PriceService(HttpServer server) {
        this.server = server;
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    static PriceService start() throws IOException {
        return new PriceService(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50));
    }

    /** What it makes of a body. */
    static String answer(String body) {
        return "priced " + body;
    }

    /** A route of one topic replication that calls the service of this name. */
    static String route(String id, String service) {
        return Gate.route(id, service);
    }

    void refuse(boolean from) {
        refuses = from;
    }

    int calls() {
        return calls.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        calls.incrementAndGet();
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            byte[] answer = answer(body).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(refuses ? 503 : 200, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void process(Exchange exchange) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
                        .timeout(LIMIT)
                        .POST(
                                HttpRequest.BodyPublishers.ofByteArray(
                                        exchange.getMessage().getBody(byte[].class)))
                        .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the price service answers " + response.statusCode());
        }
        exchange.getMessage().setBody(response.body());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
