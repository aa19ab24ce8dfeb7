package dev.streamconnect.preflight;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * What a broker says that it understands: the first answer of every Kafka connection.
 *
 * @param ranges first and last version, by the number of the request
 */
record ApiVersions(Map<Integer, Range> ranges) {

    private static final int REQUEST = 18;

    /** Versions of one request. */
    record Range(int first, int last) {}

    /** Asks as {@link Question#ask} does. */
    static ApiVersions ask(Socket socket) throws IOException {
        ByteBuffer answer = Question.ask(socket, REQUEST, 0, new byte[0]);
        int error = answer.getShort();
        int count = answer.getInt();
        if (error != 0 || count < 0 || count > answer.remaining() / (3 * Short.BYTES)) {
            throw new Question.NoBrokerException(false);
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
