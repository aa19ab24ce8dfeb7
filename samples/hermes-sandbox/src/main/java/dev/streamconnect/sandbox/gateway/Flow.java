package dev.streamconnect.sandbox.gateway;

import java.io.IOException;
import java.net.Socket;

/**
 * One client connection through the gateway. A flow that lost bytes is dead for good: it goes on
 * swallowing after the port has healed, since a TLS stream with a gap would only be corrupt.
 */
final class Flow {

    private final GatewayPort port;
    private final Socket client;
    private final Socket broker;
    private volatile boolean dead;

    /**
     * @param broker null for a flow that was accepted into a black hole
     */
    Flow(GatewayPort port, Socket client, Socket broker) {
        this.port = port;
        this.client = client;
        this.broker = broker;
        this.dead = broker == null;
    }

    void start() {
        String name = "gateway-" + port.port() + "-" + client.getPort();
        new Pump(this, client, broker, name + " in").start();
        if (broker != null) {
            new Pump(this, broker, client, name + " out").start();
        }
    }

    long delayMillis() {
        return port.delayMillis();
    }

    /** Whether the bytes at hand are lost; asked for every chunk. */
    boolean swallows() {
        if (!dead && port.mode() == PortMode.BLACKHOLE) {
            dead = true;
        }
        return dead;
    }

    void kill() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** One end is over. The other end learns it, unless the flow is dead: then nothing crosses. */
    void ended(Socket end) {
        if (dead && broker != null) {
            close(end);
            if (client.isClosed() && broker.isClosed()) {
                port.forget(this);
            }
        } else {
            cut(Cut.FIN);
        }
    }

    void cut(Cut how) {
        if (how == Cut.NONE) {
            return;
        }
        end(client, how);
        if (broker != null) {
            end(broker, how);
        }
        port.forget(this);
    }

    static void end(Socket socket, Cut how) {
        try {
            if (how == Cut.RST) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException e) {
            // the socket is closed already
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed is what was wanted
        }
    }
}
