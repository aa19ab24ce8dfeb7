package dev.streamconnect.preflight;

import dev.streamconnect.cluster.HostPort;

/**
 * What a broker tells clients of where it is.
 *
 * @param broker its number
 */
record AdvertisedAddress(int broker, HostPort address) {

    /**
     * Judges the port; whether it can be reached is looked at by itself.
     *
     * @param hermes null at a customer's Kafka, which may advertise any port
     */
    Verdict verdict(HermesRules hermes) {
        String told = "broker " + broker;
        if (hermes == null || hermes.ports().any()) {
            return Verdict.ok(told);
        }
        String range = hermes.ports().range(hermes.role());
        return hermes.ports().covers(hermes.role(), address.port())
                ? Verdict.ok(told + ", in the range " + range)
                : Verdict.warn(
                        told + ", outside of the documented range " + range,
                        "open this port in the firewall, too, and ask why the broker advertises it");
    }
}
