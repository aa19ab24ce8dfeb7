package dev.streamconnect.servicenow;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/**
 * Where an instance is: scheme, host and port, nothing more.
 *
 * @param uri such as {@code https://acme.service-now.com}
 */
public record InstanceUrl(URI uri) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /**
     * @throws IllegalArgumentException one line that does not repeat the text: it may hold a
     *     password
     */
    public static InstanceUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw wrong("is no URL");
        }
        if (uri.getRawUserInfo() != null) {
            throw wrong("holds a user; give serviceNowUser and serviceNowPassword");
        }
        if (uri.getHost() == null) {
            throw wrong("has no host");
        }
        boolean bare =
                (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))
                        && uri.getRawQuery() == null
                        && uri.getRawFragment() == null;
        if (!bare) {
            throw wrong("is more than the address of an instance");
        }
        boolean https = "https".equals(uri.getScheme());
        if (!https && !("http".equals(uri.getScheme()) && LOOPBACK.contains(uri.getHost()))) {
            throw wrong("does not begin with https://");
        }
        return new InstanceUrl(URI.create(uri.getScheme() + "://" + uri.getRawAuthority()));
    }

    private static IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException(
                "records: what follows servicenow: "
                        + what
                        + "; write servicenow:https://<instance>.service-now.com");
    }

    /** Host, and port where there is one. */
    String host() {
        return uri.getRawAuthority();
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
