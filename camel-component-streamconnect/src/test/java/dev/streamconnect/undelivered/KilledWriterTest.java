package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a call has returned for is there after {@code kill -9}, and what it has deleted is not. */
class KilledWriterTest {

    @TempDir Path folder;

    private final Random random = new Random();
    private final Set<Long> printed = new HashSet<>();

    @Test
    void h2_keeps_what_was_committed() throws Exception {
        killTimes(2, h2());
    }

    @Test
    void postgresql_keeps_what_was_committed() throws Exception {
        killTimes(2, PostgreSqlServer.shared().newDatabase());
    }

    @Test
    @Tag("fault")
    void h2_keeps_what_was_committed_twenty_times() throws Exception {
        killTimes(20, h2());
    }

    @Test
    @Tag("fault")
    void postgresql_keeps_what_was_committed_twenty_times() throws Exception {
        killTimes(20, PostgreSqlServer.shared().newDatabase());
    }

    /** As long as it takes until H2 uses space of the file again, and a bit. */
    @Test
    @Tag("fault")
    void h2_keeps_the_row_that_was_stored_right_before_the_end() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(75);
        for (int life = 0; life < 20 || System.nanoTime() < end; life++) {
            Process process = start(h2(), life, "once");
            try (BufferedReader lines = process.inputReader()) {
                assertThat(lines.readLine())
                        .as("rows at the begin of life %s", life)
                        .isEqualTo(String.valueOf(life));
            } finally {
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private String h2() {
        return "jdbc:h2:file:" + folder.resolve("undelivered");
    }

    private void killTimes(int times, String url) throws Exception {
        long next = 0;
        for (int n = 0; n < times; n++) {
            next = 1 + runAndKill(url, next);
            assertKept(url);
        }
    }

    /** Returns the last offset that it printed. */
    private long runAndKill(String url, long first) throws IOException, InterruptedException {
        Process process = start(url, first);
        long last = first - 1;
        try (BufferedReader lines = process.inputReader()) {
            int kill = 1 + random.nextInt(40);
            for (int n = 0; n < kill; n++) {
                last = noted(lines.readLine());
            }
            // At any place of the next store.
            TimeUnit.NANOSECONDS.sleep(random.nextInt(8_000_000));
            // Not by the process itself, which would close the stream with lines in it.
            process.toHandle().destroyForcibly();
            String line;
            while ((line = lines.readLine()) != null) {
                last = noted(line);
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return last;
    }

    private Process start(String url, long first, String... more) throws IOException {
        return StoringProcess.start(folder.resolve("errors.txt"), url, first, more);
    }

    private long noted(String line) {
        assertThat(line).as("the process ended by itself, see its errors").isNotNull();
        long offset = Long.parseLong(line);
        printed.add(offset);
        return offset;
    }

    private void assertKept(String url) {
        try (UndeliveredDatabase database = StoringProcess.open(url)) {
            List<StoredMessage> rows =
                    database.undeliveredStore(StoreLimits.DEFAULT)
                            .list(RowSelector.ALL, 0, Integer.MAX_VALUE);
            Set<Long> log =
                    rows.stream()
                            .filter(row -> row.message().origin().equals(StoringProcess.LOG))
                            .map(row -> row.message().offset())
                            .collect(Collectors.toSet());
            assertThat(log).containsAll(printed);
            Map<Long, Long> pairs =
                    rows.stream()
                            .filter(row -> row.message().origin().equals(StoringProcess.PAIR))
                            .collect(
                                    Collectors.groupingBy(
                                            row -> row.message().offset(), Collectors.counting()));
            assertThat(pairs.values()).as("both of a pair or none").containsOnly(2L);
            long last = Collections.max(pairs.keySet());
            assertThat(printed).allMatch(offset -> offset <= last);
            long before = Collections.min(pairs.keySet());
            assertThat(printed).as("gone by then").allMatch(offset -> offset <= before);
        }
    }
}
