package dev.streamconnect.preflight;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Asks a broker over an open connection, in the protocol of Kafka. */
final class Question {

    private static final byte[] CLIENT =
            "streamconnect-preflight".getBytes(StandardCharsets.US_ASCII);
    private static final int CORRELATION = 0x5c;
    private static final int LEAST_BYTES = 10;
    private static final int MOST_BYTES = 256 * 1024;
    private static final int TLS_ALERT = 0x15;

    /** Something else than a Kafka broker answered. */
    static final class NoBrokerException extends IOException {

        private static final long serialVersionUID = 1L;
        private final boolean tls;

        NoBrokerException(boolean tls) {
            super(tls ? "it speaks TLS" : "it does not speak Kafka");
            this.tls = tls;
        }

        boolean isTls() {
            return tls;
        }
    }

    private Question() {}

    /**
     * Asks; the connection's read limit holds for each part of the answer.
     *
     * @param request number of the request
     * @param version of the request, one without tagged fields
     * @return what follows the correlation id
     * @throws NoBrokerException if the answer is not one of a broker
     * @throws EOFException if the connection ends without one
     */
    static ByteBuffer ask(Socket socket, int request, int version, byte[] body) throws IOException {
        int length = Short.BYTES * 3 + Integer.BYTES + CLIENT.length + body.length;
        socket.getOutputStream()
                .write(
                        ByteBuffer.allocate(Integer.BYTES + length)
                                .putInt(length)
                                .putShort((short) request)
                                .putShort((short) version)
                                .putInt(CORRELATION)
                                .putShort((short) CLIENT.length)
                                .put(CLIENT)
                                .put(body)
                                .array());
        socket.getOutputStream().flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int size = in.readInt();
        if (size < LEAST_BYTES || size > MOST_BYTES) {
            throw new NoBrokerException(size >>> 24 == TLS_ALERT);
        }
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException();
        }
        ByteBuffer answer = ByteBuffer.wrap(bytes);
        if (answer.getInt() != CORRELATION) {
            throw new NoBrokerException(false);
        }
        return answer;
    }
}
