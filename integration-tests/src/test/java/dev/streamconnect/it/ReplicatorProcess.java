package dev.streamconnect.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A replicator in a JVM of its own, with the class path of the tests. It ends with its standard
 * input, so it cannot outlive this JVM.
 */
final class ReplicatorProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final long ANSWER_SECONDS = 30;
    private static final long STOP_SECONDS = 45;

    private final Process process;
    private final StringBuffer output = new StringBuffer();
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(1);
    private volatile boolean ready;

    private ReplicatorProcess(Process process) {
        this.process = process;
        Thread reader = new Thread(this::readOutput, "replicator-output");
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts it and waits until its routes are started. */
    static ReplicatorProcess start(ReplicatorSettings settings, Path folder) {
        return start(settings, folder, List.of());
    }

    /**
     * Starts it and waits until its routes are started.
     *
     * @param jvmOptions further options of the JVM
     */
    static ReplicatorProcess start(
            ReplicatorSettings settings, Path folder, List<String> jvmOptions) {
        ReplicatorProcess started = launch(settings.writeTo(folder), jvmOptions);
        try {
            Awaitility.await("the replicator process")
                    .atMost(START_LIMIT)
                    .until(() -> started.ready || !started.process.isAlive());
        } finally {
            if (!started.ready) {
                started.close();
            }
        }
        if (!started.ready) {
            throw new IllegalStateException("the replicator did not start:\n" + started.output);
        }
        return started;
    }

    /**
     * Starts it without waiting.
     *
     * @param application the application.properties
     * @param jvmOptions further options of the JVM
     */
    static ReplicatorProcess launch(Path application, List<String> jvmOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", classPath()));
        command.addAll(jvmOptions);
        command.addAll(List.of(ReplicatorMain.class.getName(), application.toString()));
        try {
            return new ReplicatorProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Class path of the tests. */
    static String classPath() {
        String ofTests = System.getProperty("surefire.test.class.path");
        return ofTests == null ? System.getProperty("java.class.path") : ofTests;
    }

    /** States of all topic replications, as the status operation tells them. */
    JsonNode status() {
        return ask("status");
    }

    /** Rows of the undelivered store, 100 at most. */
    JsonNode rows() {
        return ask("list");
    }

    /** What an operation answers for all topic replications. */
    private JsonNode ask(String operation) {
        try {
            answers.clear();
            process.getOutputStream().write((operation + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String answer = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new IllegalStateException("no answer to " + operation + ":\n" + output);
            }
            return new ObjectMapper().readTree(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** All that it has printed so far, log and errors. */
    String output() {
        return output.toString();
    }

    /** What its threads do now, as jcmd prints it. */
    String threads() {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process print =
                    new ProcessBuilder(jcmd, String.valueOf(process.pid()), "Thread.print")
                            .redirectErrorStream(true)
                            .start();
            return new String(print.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The exit code, waited for. */
    int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the replicator still runs:\n" + output);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** {@code kill -9}. Returns when the process is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Stops it as a service manager would, by force if it takes too long. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (IOException e) {
            kill();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    private void readOutput() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(ReplicatorMain.ANSWER)) {
                    answers.offer(line.substring(ReplicatorMain.ANSWER.length()));
                    continue;
                }
                output.append(line).append('\n');
                ready |= line.equals(ReplicatorMain.READY);
            }
        } catch (IOException e) {
            output.append(e).append('\n');
        }
    }
}
