package dev.streamconnect.preflight;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a broker says that it understands: the first answer of every Kafka connection.
 *
 * @param ranges first and last version, by the number of the request
 */
record ApiVersions(Map<Integer, Range> ranges) {

    private static final short API_VERSIONS = 18;
    private static final int CORRELATION = 0x5c;
    private static final int MOST_BYTES = 64 * 1024;
    private static final int TLS_ALERT = 0x15;

    /** Versions of one request. */
    record Range(int first, int last) {}

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

    /**
     * Asks over an open connection, whose read limit holds for each part of the answer.
     *
     * @throws NoBrokerException if the answer is not one of a broker
     * @throws EOFException if the connection ends without one
     */
    static ApiVersions ask(Socket socket) throws IOException {
        byte[] client = "streamconnect-preflight".getBytes(StandardCharsets.US_ASCII);
        int length = Short.BYTES * 3 + Integer.BYTES + client.length;
        socket.getOutputStream()
                .write(
                        ByteBuffer.allocate(Integer.BYTES + length)
                                .putInt(length)
                                .putShort(API_VERSIONS)
                                .putShort((short) 0)
                                .putInt(CORRELATION)
                                .putShort((short) client.length)
                                .put(client)
                                .array());
        socket.getOutputStream().flush();
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int size = in.readInt();
        if (size < 10 || size > MOST_BYTES) {
            throw new NoBrokerException(size >>> 24 == TLS_ALERT);
        }
        byte[] answer = in.readNBytes(size);
        if (answer.length < size) {
            throw new EOFException();
        }
        return parse(ByteBuffer.wrap(answer));
    }

    private static ApiVersions parse(ByteBuffer answer) throws NoBrokerException {
        int correlation = answer.getInt();
        int error = answer.getShort();
        int count = answer.getInt();
        if (correlation != CORRELATION
                || error != 0
                || count < 0
                || count > answer.remaining() / (3 * Short.BYTES)) {
            throw new NoBrokerException(false);
        }
        Map<Integer, Range> ranges = new HashMap<>();
        for (int i = 0; i < count; i++) {
            ranges.put((int) answer.getShort(), new Range(answer.getShort(), answer.getShort()));
        }
        return new ApiVersions(Map.copyOf(ranges));
    }

    /** Last version of a request that the broker understands; -1 if it does not know it. */
    int last(int request) {
        Range range = ranges.get(request);
        return range == null ? -1 : range.last();
    }

    /** First version of a request that the broker understands; -1 if it does not know it. */
    int first(int request) {
        Range range = ranges.get(request);
        return range == null ? -1 : range.first();
    }
}
