package dev.streamconnect.quickstart;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A Java process that ends when its standard input does, so it cannot outlive this one however this
 * one ends.
 */
final class ChildProcess implements AutoCloseable {

    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final Thread reader;

    private ChildProcess(Process process, Consumer<String> lines) {
        this.process = process;
        this.reader = new Thread(() -> read(lines), "output-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one.
     *
     * @param folder its working directory
     * @param environment what it gets beyond this process's own
     * @param arguments of java
     * @param lines gets each line that it prints, on a thread of its own
     */
    static ChildProcess start(
            Path folder,
            Map<String, String> environment,
            List<String> arguments,
            Consumer<String> lines) {
        List<String> command = new ArrayList<>();
        // Ctrl-C goes to all processes of a terminal; the children have to outlive it by the time
        // that the comparison takes. A signal that is ignored at its start leaves a JVM alone.
        if (Files.isExecutable(Path.of("/bin/sh"))) {
            command.addAll(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new ChildProcess(builder.start(), lines);
        } catch (IOException e) {
            throw new QuickstartException("a process cannot be started: " + e.getMessage());
        }
    }

    /** A class path of all libraries in a folder. */
    static String libraries(Path home) {
        return home.resolve("lib") + File.separator + "*";
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Does something once it has ended and its last line is read, however it ended. */
    void onEnd(Runnable action) {
        process.onExit()
                .thenRunAsync(
                        () -> {
                            joinReader();
                            action.run();
                        });
    }

    /** Ends it by the end of its input, waited for, and by force if that takes too long. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // its end is what is wanted
        }
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        joinReader();
    }

    private void joinReader() {
        try {
            reader.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(Consumer<String> lines) {
        try (BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
        } catch (IOException e) {
            // it ended
        }
    }
}
