package dev.streamconnect.sandbox.gateway;

import java.net.InetSocketAddress;

/**
 * Where a public port leads.
 *
 * @param name for people, for example {@code A-0}
 * @param address the broker's own listener
 */
public record Target(String name, InetSocketAddress address) {}
