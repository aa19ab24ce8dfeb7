package dev.streamconnect.benchmark.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A Java process. It ends with its standard input, so it does not outlive this one. Standard error
 * goes to a file.
 */
public final class ChildProcess implements AutoCloseable {

    private static final long STOP_SECONDS = 20;

    private final Process process;
    private final Path log;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private ChildProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        Thread reader = new Thread(this::read, "child-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * @param jvm options of the JVM
     * @param classPath entries, as {@code -cp} takes them
     * @param arguments main class and its arguments
     * @param log takes what it writes to standard error
     */
    public static ChildProcess start(
            List<String> jvm, List<String> classPath, List<String> arguments, Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.add("-cp");
        command.add(String.join(System.getProperty("path.separator"), classPath));
        command.addAll(arguments);
        try {
            Files.createDirectories(log.getParent());
            return new ChildProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start(),
                    log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Writes a line to its standard input. */
    public void tell(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new IllegalStateException("the process has ended; " + lastLines(), e);
        }
    }

    /**
     * The next line of its standard output that begins so; others are passed over.
     *
     * @throws IllegalStateException if it does not come in time
     */
    public String awaitLine(String beginning, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            while (process.isAlive() || !lines.isEmpty()) {
                String line = lines.poll(100, TimeUnit.MILLISECONDS);
                if (line != null && line.startsWith(beginning)) {
                    return line;
                }
                if (System.nanoTime() > end) {
                    throw new IllegalStateException(
                            "no line \"" + beginning + "\" in " + limit + "; " + lastLines());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("the process has ended; " + lastLines());
    }

    /** Waits for its end by itself. */
    public int awaitEnd(Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("the process still runs; " + lastLines());
    }

    /** Consumed CPU, nanoseconds. */
    public long cpuNanos() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** Most memory that was resident so far, in units of 1024 * 1024 bytes; NaN if not known. */
    public double peakRssMegabytes() {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try (Stream<String> all = Files.lines(status)) {
            return all.filter(line -> line.startsWith("VmHWM:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(Double.NaN);
        } catch (IOException | UncheckedIOException e) {
            return Double.NaN;
        }
    }

    /** Ends its input and waits; kills it if that takes too long. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
        }
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            // It has ended.
        }
    }

    private String lastLines() {
        try (Stream<String> all = Files.lines(log)) {
            List<String> list = all.toList();
            return "see "
                    + log
                    + ": "
                    + String.join(" | ", list.subList(Math.max(0, list.size() - 3), list.size()));
        } catch (IOException | UncheckedIOException e) {
            return "see " + log;
        }
    }
}
