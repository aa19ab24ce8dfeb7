package dev.streamconnect.engine;

import dev.streamconnect.cluster.CertificateLife;
import java.time.Duration;
import java.time.Instant;

/**
 * The client certificate that one connection of this node shows to its brokers.
 *
 * @param connection id of the customer's connection, or {@code hermes}
 * @param side {@code producer}, {@code side A} or {@code side B} of Hermes; empty for a customer's
 * @param life whom it names, and when it ends
 * @param warning what is to be done, one line; empty while nothing is
 */
public record CertificateStatus(
        String connection, String side, CertificateLife life, String warning) {

    /** Seconds until it ends; negative once it is over. */
    public long secondsLeft(Instant now) {
        return Duration.between(now, life.notAfter()).toSeconds();
    }

    /** Connection and side, for people. */
    public String name() {
        return side.isEmpty() ? connection : connection + " " + side;
    }
}
