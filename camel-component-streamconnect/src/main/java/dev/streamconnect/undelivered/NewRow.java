package dev.streamconnect.undelivered;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.UndeliveredMessage;
import java.nio.ByteBuffer;

/**
 * A message on its way into the table.
 *
 * @param fingerprint of the message; null without a source, where rows have no identity
 */
record NewRow(UndeliveredMessage message, byte[] fingerprint) {

    static NewRow of(UndeliveredMessage message) {
        boolean direct = message.origin().isDirect();
        return new NewRow(message, direct ? null : message.fingerprint());
    }

    boolean hasIdentity() {
        return fingerprint != null;
    }

    Place place() {
        return new Place(message.origin(), message.stage());
    }

    Identity identity() {
        return new Identity(message.offset(), ByteBuffer.wrap(fingerprint));
    }

    /** Where rows have an order and an identity. */
    record Place(MessageOrigin origin, Stage stage) {}

    /** What tells rows of one place apart. */
    record Identity(long offset, ByteBuffer fingerprint) {}
}
