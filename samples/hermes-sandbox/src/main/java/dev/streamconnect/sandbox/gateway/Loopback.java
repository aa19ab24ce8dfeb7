package dev.streamconnect.sandbox.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Listening sockets on the loopback addresses that {@code localhost} stands for, IPv4 and IPv6. */
final class Loopback {

    private static final int BACKLOG = 128;

    private Loopback() {}

    /** Listens on one port of every loopback address, or on none if one is taken. */
    static List<ServerSocket> listen(int port) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (InetAddress address : addresses()) {
                ServerSocket socket = new ServerSocket();
                sockets.add(socket);
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(address, port), BACKLOG);
            }
            return sockets;
        } catch (IOException e) {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            throw e;
        }
    }

    private static Set<InetAddress> addresses() throws IOException {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        addresses.add(InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1}));
        for (InetAddress address : InetAddress.getAllByName("localhost")) {
            // a host file can name ::1 on a machine without IPv6
            if (address.isLoopbackAddress() && NetworkInterface.getByInetAddress(address) != null) {
                addresses.add(address);
            }
        }
        return addresses;
    }
}
