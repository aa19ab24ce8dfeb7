package dev.streamconnect.undelivered;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes bytes to a server until it is told to freeze: then it takes them and says nothing. */
final class FrozenProxy implements AutoCloseable {

    private final ServerSocket listener;
    private final int serverPort;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile boolean frozen;

    FrozenProxy(int serverPort) {
        this.serverPort = serverPort;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void freeze() {
        frozen = true;
    }

    /** Connections of the frozen time are lost. */
    void thaw() {
        frozen = false;
        closeSockets();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.addAll(List.of(client, server));
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[8192];
        try {
            int length;
            while ((length = from.getInputStream().read(buffer)) >= 0) {
                if (!frozen) {
                    to.getOutputStream().write(buffer, 0, length);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            // The other side ended.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "frozen-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void closeSockets() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeSockets();
    }
}
