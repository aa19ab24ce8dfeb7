package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.spi.Reason;
import java.util.Optional;

/**
 * The largest message that goes to a topic, and what sets it.
 *
 * @param bytes key, value and headers, uncompressed
 * @param setBy what to change to let larger ones through, for people
 */
record SizeLimit(int bytes, String setBy) {

    /** Our own, which holds also where the topic takes more. */
    static SizeLimit own(int bytes, ClientRole destination) {
        return new SizeLimit(
                bytes,
                destination == ClientRole.CUSTOMER
                        ? "of the connection's property max.request.size"
                        : "of the option maxMessageBytes of hermes");
    }

    /** This one, or the topic's where that is lower. */
    SizeLimit orOfTopic(long maxMessageBytes) {
        return maxMessageBytes < bytes
                ? new SizeLimit(
                        (int) maxMessageBytes, "of the destination topic's max.message.bytes")
                : this;
    }

    /** Why a message of this size does not go; empty if it does. */
    Optional<Refusal> refuses(int size) {
        return size <= bytes
                ? Optional.empty()
                : Optional.of(
                        new Refusal(
                                Reason.SIZE,
                                "message of "
                                        + size
                                        + " bytes is over the limit of "
                                        + bytes
                                        + " bytes "
                                        + setBy));
    }
}
