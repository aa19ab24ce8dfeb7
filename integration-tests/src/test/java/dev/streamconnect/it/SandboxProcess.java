package dev.streamconnect.it;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sandbox's process. It ends with its standard input, so it cannot outlive this JVM. */
final class SandboxProcess implements AutoCloseable {

    private static final String READY = "sandbox: ready";
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final long STOP_SECONDS = 20;

    private final Process process;
    private final Path folder;
    private final StringBuffer output = new StringBuffer();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private SandboxProcess(Process process, Path folder) {
        this.process = process;
        this.folder = folder;
        Thread reader = new Thread(this::readOutput, "sandbox-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the process without waiting for its ready line. */
    static SandboxProcess launch(Path folder, List<String> arguments) throws IOException {
        String home = System.getProperty("sandbox.home");
        if (home == null || Files.notExists(Path.of(home, "lib"))) {
            throw new IllegalStateException(
                    "no sandbox in sandbox.home=" + home + "; build module samples/hermes-sandbox");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", home + "/lib/*", "dev.streamconnect.sandbox.HermesSandbox"));
        command.addAll(List.of("--stop-on-eof", "--dir", folder.toString()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new SandboxProcess(process, folder);
    }

    void awaitReady() {
        try {
            ready.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            close();
            throw new IllegalStateException("the sandbox did not start:\n" + output + errors(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            throw new IllegalStateException("interrupted while the sandbox started", e);
        }
    }

    /** All that it has printed so far. */
    String output() {
        return output.toString();
    }

    long pid() {
        return process.pid();
    }

    /** The exit code, waited for. */
    int exitCode(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the sandbox still runs:\n" + output);
        }
        return process.exitValue();
    }

    /** Sends the signal that a service manager sends. */
    void terminate() {
        process.toHandle().destroy();
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void readOutput() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.equals(READY)) {
                    ready.complete(null);
                }
            }
            ready.completeExceptionally(new IllegalStateException("it ended before it was ready"));
        } catch (IOException e) {
            ready.completeExceptionally(new UncheckedIOException(e));
        }
    }

    private String errors() {
        Path log = folder.resolve("sandbox.log");
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" ERROR "))
                    .limit(5)
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "no log: " + e;
        }
    }
}
