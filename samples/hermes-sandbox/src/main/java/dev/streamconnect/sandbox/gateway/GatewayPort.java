package dev.streamconnect.sandbox.gateway;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One public port: its target, its fault and its connections. Safe for use by many threads. */
public final class GatewayPort {

    private static final Logger LOG = LoggerFactory.getLogger(GatewayPort.class);
    private static final int CONNECT_TIMEOUT_MILLIS = 5_000;

    private final Role role;
    private final int index;
    private final int port;
    private final Set<Flow> flows = ConcurrentHashMap.newKeySet();
    private List<ServerSocket> listening;
    private volatile Target target;
    private volatile PortMode mode = PortMode.FORWARD;
    private volatile long delayMillis;

    private GatewayPort(Role role, int index, int port, List<ServerSocket> listening) {
        this.role = role;
        this.index = index;
        this.port = port;
        this.listening = listening;
    }

    /**
     * Takes the port. Connections wait until {@link #start}.
     *
     * @param index the port's distance from the first port of its role
     * @throws IOException if the port is in use
     */
    public static GatewayPort bind(Role role, int index, int port) throws IOException {
        return new GatewayPort(role, index, port, Loopback.listen(port));
    }

    /** Begins to pass connections to a target. */
    public synchronized void start(Target first) {
        target = first;
        accept();
    }

    public Role role() {
        return role;
    }

    public int index() {
        return index;
    }

    public int port() {
        return port;
    }

    public Target target() {
        return target;
    }

    public PortMode mode() {
        return mode;
    }

    public long delayMillis() {
        return delayMillis;
    }

    /** Number of open connections, dead ones included. */
    public int flows() {
        return flows.size();
    }

    /** Number of connections that lost bytes and stay dead. */
    public int deadFlows() {
        return (int) flows.stream().filter(Flow::isDead).count();
    }

    /** Later connections go to another target; present ones stay where they are. */
    public void retarget(Target other) {
        target = other;
    }

    /**
     * Changes what the port does.
     *
     * @throws IOException if a port that was down cannot listen again
     */
    public synchronized void mode(PortMode wanted) throws IOException {
        if (wanted == PortMode.DOWN) {
            stopListening();
        } else if (listening.isEmpty()) {
            listening = Loopback.listen(port);
            accept();
        }
        mode = wanted;
    }

    /** Holds every byte back for some time, in each direction; 0 ends it. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    /** Ends all present connections. Returns how many there were. */
    public int cut(Cut how) {
        int count = 0;
        for (Flow flow : flows) {
            flow.cut(how);
            count++;
        }
        return how == Cut.NONE ? 0 : count;
    }

    /** Makes all present connections swallow every byte for good. Returns how many there were. */
    public int killFlows() {
        flows.forEach(Flow::kill);
        return flows.size();
    }

    /** Stops listening and resets all connections. */
    public synchronized void close() {
        stopListening();
        cut(Cut.RST);
    }

    void forget(Flow flow) {
        flows.remove(flow);
    }

    private void accept() {
        for (ServerSocket socket : listening) {
            Thread thread = new Thread(() -> accept(socket), "gateway-" + port);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                // connecting to a broker that hangs must not hold up the next client
                Thread thread = new Thread(() -> connect(client), "gateway-" + port + " connect");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    LOG.warn("port {} could not accept a connection: {}", port, e.toString());
                }
            }
        }
    }

    private void connect(Socket client) {
        switch (mode) {
            case FORWARD -> forward(client);
            case BLACKHOLE -> add(new Flow(this, client, null));
            default -> Flow.end(client, Cut.RST);
        }
    }

    private void forward(Socket client) {
        Target to = target;
        Socket broker = new Socket();
        try {
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            broker.connect(to.address(), CONNECT_TIMEOUT_MILLIS);
        } catch (IOException e) {
            LOG.debug("port {} does not reach {}: {}", port, to.name(), e.toString());
            Flow.end(broker, Cut.RST);
            Flow.end(client, Cut.RST);
            return;
        }
        Flow flow = add(new Flow(this, client, broker));
        if (target != to || mode == PortMode.DOWN || mode == PortMode.RESET) {
            // it was made while the port changed, too late for the cut that came with the change
            flow.cut(Cut.RST);
        }
    }

    private Flow add(Flow flow) {
        flows.add(flow);
        flow.start();
        return flow;
    }

    private void stopListening() {
        for (ServerSocket socket : listening) {
            try {
                socket.close();
            } catch (IOException e) {
                LOG.warn("port {} could not be closed: {}", port, e.toString());
            }
        }
        listening = List.of();
    }
}
