package dev.streamconnect.servicenow;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLContext;

/**
 * How records are read from an instance.
 *
 * @param instance where it is
 * @param credentials who reads
 * @param overlay file with what the instance does not say; null for none
 * @param cache file for the last good version; null for none
 * @param interval time between two reads
 * @param limit longest time for one call
 * @param tls for https; null for what Java trusts
 */
public record InstanceOptions(
        InstanceUrl instance,
        Credentials credentials,
        Path overlay,
        Path cache,
        Duration interval,
        Duration limit,
        SSLContext tls) {

    public InstanceOptions {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(credentials, "credentials");
        Objects.requireNonNull(interval, "interval");
        Objects.requireNonNull(limit, "limit");
    }

    /** The file of the cache where no other is wanted. */
    public static Path defaultCache(InstanceUrl instance) {
        return Path.of("records-" + instance.host().replaceAll("[^A-Za-z0-9.-]", "_") + ".json");
    }
}
