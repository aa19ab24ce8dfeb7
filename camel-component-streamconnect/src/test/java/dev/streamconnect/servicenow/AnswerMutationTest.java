package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.RecordsVersion;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Mutated answers of the Table API")
class AnswerMutationTest {

    private static final int MUTATIONS = 1000;
    private static final List<String> PIECES =
            List.of(
                    "\"",
                    "{",
                    "}",
                    "[",
                    "]",
                    ",",
                    ":",
                    "null",
                    "true",
                    "1e999",
                    "{}",
                    "[]",
                    "\\",
                    "\\u0000",
                    "\u0000",
                    "\n",
                    " ",
                    "\uD83D\uDE00",
                    "\"value\":",
                    "{{x}}",
                    "${file:/etc/passwd}",
                    "snc.",
                    "a=b;c",
                    "<html>",
                    "\"result\":[");

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    @DisplayName("each is a whole version or refused with a place, never anything else")
    void mutated() throws Exception {
        Credentials credentials =
                new Credentials(
                        TableApiServer.USER, Secret.of(TableApiServer.PASSWORD), null, null);
        try (TableApiServer server = new TableApiServer()) {
            server.plant().topic("t0").topic("t1").topic("t2");
            Duration limit = Duration.ofSeconds(20);
            InstanceRecordStore store =
                    new InstanceRecordStore(
                            new InstanceOptions(
                                    server.url(),
                                    credentials,
                                    null,
                                    null,
                                    Duration.ZERO,
                                    limit,
                                    null),
                            text -> null,
                            Optional.empty(),
                            new TableApi(
                                    server.url(), credentials, null, limit, Clock.systemUTC(), 2),
                            Clock.systemUTC());
            String known = store.newer(null).orElseThrow().id();
            Random random = new Random(20260303);
            int whole = 0;
            int refused = 0;
            for (int i = 0; i < MUTATIONS; i++) {
                long seed = random.nextLong();
                server.body = bytes -> mutated(bytes, new Random(seed));
                try {
                    Optional<RecordsVersion> found = store.newer(known);
                    whole++;
                    found.ifPresent(
                            version ->
                                    assertThat(version.records().topicReplications()).hasSize(3));
                } catch (RecordsException e) {
                    refused++;
                    for (RecordFault fault : e.faults()) {
                        assertThat(fault.file()).startsWith(server.url().host() + "/");
                    }
                }
            }
            assertThat(whole).isGreaterThan(20);
            assertThat(refused).isGreaterThan(500);
            server.body = bytes -> bytes;
            assertThat(store.newer(known)).isEmpty();
        }
    }

    private static byte[] mutated(byte[] good, Random random) {
        StringBuilder text = new StringBuilder(new String(good, StandardCharsets.UTF_8));
        int changes = random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(40));
            String piece = PIECES.get(random.nextInt(PIECES.size()));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, piece);
                case 2 -> text.insert(at, text.substring(at, end));
                default -> text.replace(at, end, piece);
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(5) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
