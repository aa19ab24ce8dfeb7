package dev.streamconnect.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Finds free ports for the brokers' own listeners and holds them until the brokers start. */
final class PrivatePorts {

    // below the range that outgoing connections take theirs from, so that a restart finds them free
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 200;

    private final Random random = new Random();
    private final List<ServerSocket> held = new ArrayList<>();

    int take() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = LOWEST + random.nextInt(HIGHEST - LOWEST);
            try {
                held.add(
                        new ServerSocket(
                                port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
                return port;
            } catch (IOException e) {
                // taken by another process: try the next
            }
        }
        throw new SandboxException("no free port found between " + LOWEST + " and " + HIGHEST);
    }

    void release() throws IOException {
        for (ServerSocket socket : held) {
            socket.close();
        }
        held.clear();
    }
}
