package dev.streamconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.HermesInstance;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RecordsMutationTest {

    private static final int MUTATIONS = 6000;
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
                assertThat(e.getMessage().lines().count()).isEqualTo(e.faults().size() + 1);
            }
        }
        assertThat(read).isGreaterThan(100);
        assertThat(refused).isGreaterThan(1000);
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
