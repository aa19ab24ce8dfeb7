package dev.streamconnect.sandbox.control;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes control requests on loopback, one after the other. A request answers with JSON when its
 * effect is there; a fault of the request with 4xx and one line of reason. Requests of web pages
 * are refused.
 */
public final class ControlServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

    private final HttpServer server;
    private final Map<String, Action> actions = new TreeMap<>();
    private final ObjectMapper json = new ObjectMapper();
    private final ExecutorService executor =
            Executors.newSingleThreadExecutor(
                    task -> {
                        Thread thread = new Thread(task, "sandbox-control");
                        thread.setDaemon(true);
                        return thread;
                    });

    private ControlServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Takes the port; requests wait until {@link #start}.
     *
     * @param port 0 for any free one
     * @throws SandboxException if the port is in use
     */
    public static ControlServer bind(int port) {
        try {
            InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
            return new ControlServer(HttpServer.create(new InetSocketAddress(loopback, port), 0));
        } catch (IOException e) {
            throw new SandboxException(
                    "port %d (control) cannot be taken: %s; end what uses it, or choose another with --control-port or --free-ports"
                            .formatted(port, e.getMessage()));
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public void start(LocalHermes hermes) {
        new StatusReport(hermes).register(actions);
        new GroupReport(hermes).register(actions);
        new GatewayActions(hermes).register(actions);
        new BrokerActions(hermes).register(actions);
        new TopicActions(hermes).register(actions);
        new AclActions(hermes).register(actions);
        new CertificateActions(hermes, Clock.systemUTC()).register(actions);
        server.setExecutor(executor);
        server.createContext("/", this::handle);
        server.start();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Action action = actions.get(path);
        if (exchange.getRequestHeaders().containsKey("Origin")) {
            return Answer.text(403, "requests of web pages are not taken");
        }
        if (action == null) {
            return Answer.text(
                    404, path + " is unknown; known: " + String.join(" ", actions.keySet()));
        }
        if (!action.method().equals(exchange.getRequestMethod())) {
            return Answer.text(405, path + " takes " + action.method() + " only");
        }
        try {
            Parameters parameters =
                    Parameters.parse(exchange.getRequestURI().getRawQuery(), action.parameters());
            return Answer.json(json.writeValueAsBytes(action.work().perform(parameters)));
        } catch (SandboxException e) {
            return Answer.text(400, e.getMessage());
        } catch (ExecutionException e) {
            return Answer.text(409, "the brokers refuse: " + e.getCause());
        } catch (Exception e) {
            LOG.error("{} failed", path, e);
            return Answer.text(500, path + " failed: " + e);
        }
    }
}
