package dev.streamconnect.cluster;

import java.util.regex.Pattern;

/**
 * A ServiceNow instance by name.
 *
 * @param name the first label of the instance's host name, lower case
 * @param domain what follows it, {@value #DEFAULT_DOMAIN} unless said otherwise
 */
public record HermesInstance(String name, String domain) {

    /** Domain of the vendor's instances. */
    public static final String DEFAULT_DOMAIN = "service-now.com";

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    /**
     * @throws IllegalArgumentException naming the option {@code instance} or {@code domain}, with
     *     reason and mend in one line
     */
    public HermesInstance {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException(
                    "instance: is missing; give the instance's name, such as acme for acme."
                            + DEFAULT_DOMAIN);
        }
        if (name.indexOf('.') >= 0 || name.indexOf('/') >= 0 || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException(
                    "instance: '"
                            + name
                            + "' is more than a name; give only the first part of the host name,"
                            + " and the rest as domain");
        }
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "instance: '"
                            + name
                            + "' is no instance name; use lower case letters, digits and inner"
                            + " hyphens, 63 at most");
        }
        domain = domain == null || domain.isBlank() ? DEFAULT_DOMAIN : domain;
        for (String label : domain.split("\\.", -1)) {
            if (!LABEL.matcher(label).matches()) {
                throw new IllegalArgumentException(
                        "domain: '"
                                + domain
                                + "' is no domain; give one such as "
                                + DEFAULT_DOMAIN);
            }
        }
    }

    /** Whether an instance can have this name. */
    static boolean isName(String text) {
        return LABEL.matcher(text).matches();
    }

    /** An instance of the vendor's domain. */
    public static HermesInstance of(String name) {
        return new HermesInstance(name, DEFAULT_DOMAIN);
    }

    /** Host name of the instance: {@code <name>.<domain>}. */
    public String host() {
        return name + "." + domain;
    }

    /** What the full name of each of its topics starts with, the last dot included. */
    public String topicPrefix() {
        return HermesTopic.PREFIX + name + ".";
    }
}
