package dev.streamconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.HermesInstance;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordsMutationTest {

    private static final int MUTATIONS = 10_000;
    private static final List<String> PIECES =
            List.of(
                    "\n",
                    " ",
                    "  ",
                    "\t",
                    ":",
                    ": ",
                    "- ",
                    "[",
                    "]",
                    "{",
                    "}",
                    "{{x}}",
                    "'",
                    "\"",
                    "*a",
                    "&a ",
                    "!t ",
                    "|",
                    ">",
                    "#",
                    "%",
                    "@",
                    "~",
                    "null",
                    "true",
                    "1",
                    "-1",
                    "1e999",
                    "99999999999999999999999",
                    "\u0000",
                    "\uD83D\uDE00",
                    "\u2028",
                    "..",
                    "snc.",
                    "SNC.",
                    "__",
                    "?",
                    "? ",
                    "<<: ",
                    "---\n",
                    "...\n",
                    ",",
                    "/",
                    "~1");

    @Test
    @DisplayName("any mutation of a good file is read or refused with faults, never anything else")
    void anyMutationIsReadOrRefused() {
        String good = DocumentedRecordsTest.snippets().get(1);
        Random random = new Random(20260301);
        RecordsReader reader =
                new RecordsReader(text -> "x", Optional.of(HermesInstance.of("acme")));
        int read = 0;
        int refused = 0;
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bytes = mutated(good, random);
            try {
                reader.read(new ByteArrayInputStream(bytes), "mutated");
                read++;
            } catch (RecordsException e) {
                refused++;
                assertThat(e.faults()).isSorted().isNotEmpty();
                for (RecordFault fault : e.faults()) {
                    boolean ofTheFile = fault.rule().name().startsWith("FILE_");
                    assertThat(fault.line() > 0 || ofTheFile).as(fault.toString()).isTrue();
                }
                assertThat(e.getMessage().lines().count()).isEqualTo(e.faults().size() + 1);
            }
        }
        assertThat(read).isGreaterThan(100);
        assertThat(refused).isGreaterThan(1000);
    }

    @Test
    @DisplayName("the same for the overlay of an instance's records")
    void overlays() {
        String good =
                """
                columns:
                  topicReplications: { topicName: u_topic }
                directions:
                  fromServiceNow: [ outbound ]
                connections:
                  c0: { sasl: { mechanism: PLAIN, username: u, password: "{{x}}" } }
                topicReplications:
                  t0: { id: orders-to-sn, route: none, startFrom: earliest }
                """;
        Random random = new Random(20260302);
        for (int i = 0; i < 1000; i++) {
            String text = new String(mutated(good, random), StandardCharsets.UTF_8);
            RecordsBuilder records = new RecordsBuilder("host");
            RecordsBuilder.Entry entry = records.connection("host/c0");
            entry.text("id", "c0", "host/c0/id");
            entry.text("bootstrapServers", "localhost:9092", "host/c0/servers");
            try {
                PlacedYaml overlay = PlacedYaml.parse(text, "mutated", value -> "x");
                entry.overlay(overlay, Set.of("sasl", "ssl", "properties"), "connections", "c0");
                records.build(Optional.empty());
            } catch (RecordsException e) {
                assertThat(e.faults())
                        .allMatch(
                                fault ->
                                        fault.file().startsWith("host/")
                                                || fault.line() > 0
                                                || fault.rule() == RecordRule.FILE_EMPTY);
            }
        }
    }

    private static void moveLine(StringBuilder text, Random random) {
        List<String> lines = new ArrayList<>(text.toString().lines().toList());
        String line = lines.get(random.nextInt(lines.size()));
        if (random.nextBoolean()) {
            lines.remove(line);
        }
        lines.add(random.nextInt(lines.size() + 1), line);
        text.setLength(0);
        text.append(String.join("\n", lines)).append("\n");
    }

    private static byte[] mutated(String good, Random random) {
        StringBuilder text = new StringBuilder(good);
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + random.nextInt(12));
            switch (random.nextInt(6)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                case 2 -> text.insert(at, text.substring(at, end));
                case 3 -> moveLine(text, random);
                case 4 ->
                        text.insert(text.lastIndexOf("\n", at) + 1, " ".repeat(random.nextInt(5)));
                default -> text.replace(at, end, PIECES.get(random.nextInt(PIECES.size())));
            }
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(10) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
