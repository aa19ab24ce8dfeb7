package dev.streamconnect.preflight;

import java.util.Locale;

/** What is looked at, in its order: a stage needs the ones before it. */
public enum Stage {
    /** The client properties that users write. */
    CLIENT_PROPERTIES("client properties"),
    /** The client's own stores and certificate. */
    OWN_CERTIFICATE("own certificate"),
    /** A host name. */
    DNS("DNS"),
    /** A connection to an address. */
    TCP("TCP"),
    /** The TLS handshake at an address. */
    TLS("TLS"),
    /** The certificate that a broker shows. */
    SERVER_CERTIFICATE("server certificate"),
    /** Whether a broker takes the client as who it is, and speaks Kafka. */
    AUTHENTICATION("authentication"),
    /** The release of a broker. */
    VERSION("version"),
    /** Which cluster answers. */
    CLUSTER("cluster"),
    /** An address that a broker tells clients. */
    ADVERTISED("advertised"),
    /** How many partitions all topics of the instance have, of those that there may be. */
    PARTITIONS("partitions"),
    /** A topic with its partitions. */
    TOPIC("topic"),
    /** Settings and limits of a topic. */
    SETTINGS("settings"),
    /** The right to read or write a topic. */
    RIGHTS("rights"),
    /** The time of a topic's last message. */
    LAST_MESSAGE("last message"),
    /** The right to use a consumer group. */
    GROUP("group"),
    /** A message that was sent, where one was asked for. */
    TEST_MESSAGE("test message");

    private final String label;

    Stage(String label) {
        this.label = label;
    }

    /** Words for people. */
    public String label() {
        return label;
    }

    /** The word for machines, such as {@code own-certificate}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
