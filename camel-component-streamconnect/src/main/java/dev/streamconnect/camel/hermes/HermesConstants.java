package dev.streamconnect.camel.hermes;

import org.apache.camel.spi.Metadata;

/** Message headers of {@code hermes:}. */
public final class HermesConstants {

    @Metadata(
            description =
                    "Full name of the topic. Consumer: read from. Producer with delivery=sync: stored in, set after the"
                            + " acknowledgement.",
            javaType = "String")
    public static final String TOPIC = "CamelHermesTopic";

    @Metadata(
            description =
                    "Consumer: partition that the message was read from. Producer: set it to choose the partition;"
                            + " with delivery=sync it is set to where the message was stored.",
            javaType = "Integer")
    public static final String PARTITION = "CamelHermesPartition";

    @Metadata(
            description =
                    "Consumer: offset of the message, or of the first message of a batch. Producer with delivery=sync:"
                            + " offset where it was stored, -1 if the broker does not tell.",
            javaType = "Long")
    public static final String OFFSET = "CamelHermesOffset";

    @Metadata(
            description =
                    "Timestamp in milliseconds since the epoch. Consumer: the message's. Producer: set it to choose"
                            + " the timestamp; with delivery=sync it is set to the stored one.",
            javaType = "Long")
    public static final String TIMESTAMP = "CamelHermesTimestamp";

    @Metadata(
            description =
                    "Key: bytes at a consumer; bytes, text or a number at a producer. Messages with the same key go to"
                            + " the same partition.",
            javaType = "byte[] or String")
    public static final String KEY = "CamelHermesKey";

    @Metadata(
            label = "consumer",
            description = "Side that the message was read from: A or B.",
            javaType = "String")
    public static final String SIDE = "CamelHermesSide";

    @Metadata(
            label = "producer",
            description =
                    "Set to true to send a null body as a tombstone, as the option allowTombstone does.",
            javaType = "Boolean")
    public static final String TOMBSTONE = "CamelHermesTombstone";

    @Metadata(
            label = "producer",
            description =
                    "Set when the message was not delivered and is kept in the undelivered store: the reason, one line.",
            javaType = "String")
    public static final String UNDELIVERED = "CamelHermesUndelivered";

    private HermesConstants() {}
}
