package dev.streamconnect.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One entry of a bootstrap list.
 *
 * @param host name or address, an IPv6 address without its brackets; never null
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {

    private static final Pattern ENTRY =
            Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * Reads a comma separated list such as {@code one:9092, two:9092}.
     *
     * @return the entries in their order, unmodifiable, never empty
     * @throws IllegalArgumentException with all faulty entries in one line
     */
    public static List<HostPort> parseList(String text) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException(
                    "is empty; give host:port, more of them with commas");
        }
        List<HostPort> entries = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            try {
                HostPort entry = parse(part.strip());
                if (!entries.contains(entry)) {
                    entries.add(entry);
                }
            } catch (IllegalArgumentException e) {
                faults.add(e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join(", ", faults));
        }
        return List.copyOf(entries);
    }

    private static HostPort parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("has an empty entry; remove the comma too many");
        }
        if (text.indexOf('@') >= 0) {
            // What stands before it may be a password.
            throw new IllegalArgumentException("has an entry with '@'; give host:port only");
        }
        if (text.contains("://")) {
            throw new IllegalArgumentException(
                    "'" + TopicNames.shown(text) + "' is a URL; give host:port only");
        }
        Matcher matcher = ENTRY.matcher(text);
        if (!matcher.matches()) {
            String shown = TopicNames.shown(text);
            throw new IllegalArgumentException(
                    HOST.matcher(text).matches()
                            ? "'" + shown + "' has no port; write it as " + shown + ":9092"
                            : "'" + shown + "' is not host:port; write it as localhost:9092");
        }
        int port = Integer.parseInt(matcher.group(3));
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "'" + text + "' has port " + port + ", ports go from 1 to 65535");
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new HostPort(host, port);
    }

    /** The list as Kafka clients take it. */
    public static String join(List<HostPort> entries) {
        return entries.stream().map(HostPort::toString).collect(Collectors.joining(","));
    }

    /**
     * The same broker's entry in one spelling: lower case, without a trailing dot, and loopback
     * addresses by name. It never asks a name server.
     */
    public HostPort canonical() {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        if (name.equals("127.0.0.1") || name.equals("::1")) {
            name = "localhost";
        }
        return new HostPort(name, port);
    }

    HostPort withPort(int other) {
        return new HostPort(host, other);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
