package dev.streamconnect.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The fingerprint of a message")
class FingerprintTest {

    private static final byte[] A = {'a'};
    private static final byte[] B = {'b'};
    private static final byte[] EMPTY = {};

    private final Fingerprint fingerprint = new Fingerprint();

    @Test
    @DisplayName("differs for any difference in timestamp, key, value, headers or their order")
    void differs() {
        List<Long> all =
                Stream.of(
                                fingerprint.of(1, A, B, headers("h", A)),
                                fingerprint.of(2, A, B, headers("h", A)),
                                fingerprint.of(1, B, A, headers("h", A)),
                                fingerprint.of(1, null, B, headers("h", A)),
                                fingerprint.of(1, EMPTY, B, headers("h", A)),
                                fingerprint.of(1, A, null, headers("h", A)),
                                fingerprint.of(1, A, EMPTY, headers("h", A)),
                                fingerprint.of(1, A, B, headers()),
                                fingerprint.of(1, A, B, headers("H", A)),
                                fingerprint.of(1, A, B, headers("h", null)),
                                fingerprint.of(1, A, B, headers("h", EMPTY)),
                                fingerprint.of(1, A, B, headers("h", A, "h", A)),
                                fingerprint.of(1, A, B, headers("h", A, "h", B)),
                                fingerprint.of(1, A, B, headers("h", B, "h", A)))
                        .toList();

        assertThat(all).doesNotHaveDuplicates();
        assertThat(fingerprint.of(1, A, B, headers("h", A))).isEqualTo(all.get(0));
    }

    private static Headers headers(Object... namesAndValues) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add((String) namesAndValues[i], (byte[]) namesAndValues[i + 1]);
        }
        return headers;
    }

    @Test
    @DisplayName("does not take a part of one field for a part of the next")
    void boundaries() {
        assertThat(fingerprint.of(1, text("ab"), text("c"), headers()))
                .isNotEqualTo(fingerprint.of(1, text("a"), text("bc"), headers()));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
