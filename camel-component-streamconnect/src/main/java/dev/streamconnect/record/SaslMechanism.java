package dev.streamconnect.record;

import java.util.Optional;

/** How a user name and password are shown to a customer's Kafka. */
public enum SaslMechanism {
    /** In clear; only over TLS. */
    PLAIN("PLAIN", "plain.PlainLoginModule"),
    /** Salted challenge and response, SHA-256. */
    SCRAM_SHA_256("SCRAM-SHA-256", "scram.ScramLoginModule"),
    /** Salted challenge and response, SHA-512. */
    SCRAM_SHA_512("SCRAM-SHA-512", "scram.ScramLoginModule");

    private final String mechanism;
    private final String loginModule;

    SaslMechanism(String mechanism, String loginModule) {
        this.mechanism = mechanism;
        this.loginModule = loginModule;
    }

    /** The mechanism with this name. */
    public static Optional<SaslMechanism> ofMechanism(String text) {
        for (SaslMechanism value : values()) {
            if (value.mechanism.equals(text)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    /** Name on the wire and in a records file. */
    public String mechanism() {
        return mechanism;
    }

    String defaultTemplate() {
        return "org.apache.kafka.common.security."
                + loginModule
                + " required username=\"${username}\" password=\"${password}\";";
    }
}
