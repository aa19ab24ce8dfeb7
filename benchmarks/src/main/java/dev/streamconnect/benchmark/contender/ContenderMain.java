package dev.streamconnect.benchmark.contender;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.LongStream;

/**
 * The process of a contender. Each line on standard input is answered with what its JVM knows of
 * its memory; it stops at the end of the input. Arguments: the kind and the settings' file.
 */
public final class ContenderMain {

    /** Begins the line that tells that it was started. */
    public static final String STARTED = "contender: started";

    /**
     * Begins an answer: bytes that the living threads have allocated, and milliseconds that the
     * garbage collector has paused them.
     */
    public static final String MEMORY = "contender: memory ";

    private ContenderMain() {}

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        // What contenders print is for the log.
        System.setOut(System.err);
        ContenderSettings settings = ContenderSettings.load(Path.of(arguments[1]));
        try (AutoCloseable contender =
                        ContenderKind.valueOf(arguments[0]).contender().start(settings);
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            answers.println(STARTED);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.println(MEMORY + allocatedBytes() + " " + pausedMillis());
            }
        }
        System.exit(0);
    }

    private static long pausedMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                .filter(bytes -> bytes > 0)
                .sum();
    }
}
