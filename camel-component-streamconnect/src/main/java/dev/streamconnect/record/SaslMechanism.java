package dev.streamconnect.record;

import java.util.Optional;

/** How a client proves who it is to a customer's Kafka. */
public enum SaslMechanism {
    /** User name and password in clear; only over TLS. */
    PLAIN("PLAIN", "plain.PlainLoginModule"),
    /** Salted challenge and response, SHA-256. */
    SCRAM_SHA_256("SCRAM-SHA-256", "scram.ScramLoginModule"),
    /** Salted challenge and response, SHA-512. */
    SCRAM_SHA_512("SCRAM-SHA-512", "scram.ScramLoginModule"),
    /** A token that an OAuth 2 token endpoint gives for a client id and secret; only over TLS. */
    OAUTHBEARER("OAUTHBEARER", "oauthbearer.OAuthBearerLoginModule");

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

    /** Whether it shows the secret itself, so that it needs TLS. */
    public boolean showsSecret() {
        return this == PLAIN || this == OAUTHBEARER;
    }

    /** Class name of Kafka's own login module for it. */
    String loginModule() {
        return "org.apache.kafka.common.security." + loginModule;
    }
}
