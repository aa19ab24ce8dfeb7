package dev.streamconnect.camel.main;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import org.apache.camel.CamelContext;

/**
 * Looks before the start whether Camel Main's HTTP servers can have their ports. Camel takes any
 * port for a value that is no number, and goes on without a server where the port is taken.
 */
final class HttpPorts {

    private static final int LARGEST = 65_535;

    private HttpPorts() {}

    /**
     * Takes each port and gives it back.
     *
     * @throws IllegalArgumentException one line with option and port
     */
    static void check(CamelContext context) {
        for (String server : List.of("camel.server", "camel.management")) {
            String port = property(context, server + ".port");
            if (port != null && "true".equals(property(context, server + ".enabled"))) {
                check(server, property(context, server + ".host"), port);
            }
        }
    }

    private static String property(CamelContext context, String name) {
        return context.getPropertiesComponent()
                .resolveProperty(name)
                .map(context::resolvePropertyPlaceholders)
                .map(String::strip)
                .orElse(null);
    }

    private static void check(String server, String host, String port) {
        boolean digits = port.matches("[0-9]{1,5}");
        if (!digits || Integer.parseInt(port) > LARGEST) {
            throw new IllegalArgumentException(
                    server + ".port: '" + port + "' is no port; use 1 to 65535, or 0 for any");
        }
        InetSocketAddress address =
                new InetSocketAddress(host == null ? "0.0.0.0" : host, Integer.parseInt(port));
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    server + ".host: '" + host + "' is not known; correct the name");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(address);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    server
                            + ".port: "
                            + address.getHostString()
                            + ":"
                            + port
                            + " can't be taken: "
                            + e.getMessage()
                            + "; free it, or set another port",
                    e);
        }
    }
}
