package dev.streamconnect.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Starts everything, shows how it goes, and ends with the line {@code quickstart: sent=…
 * delivered=… undelivered=… lost=… duplicates=…}. Exit code 0 if all arrived unchanged, 1 if not or
 * if it could not run. Leaves a file {@code failed} in its folder for the build in the latter
 * cases.
 */
public final class Quickstart {

    private static final long STOP_SECONDS = 180;

    private Quickstart() {}

    /** Reads its options from system properties. */
    public static void main(String[] args) {
        Output output = new Output(System.out);
        CountDownLatch finished = new CountDownLatch(1);
        int exitCode = 1;
        try {
            exitCode = run(Options.of(System::getProperty), output, finished);
        } catch (QuickstartException e) {
            output.line("quickstart: " + e.getMessage());
        } finally {
            finished.countDown();
        }
        System.exit(exitCode);
    }

    private static int run(Options options, Output output, CountDownLatch finished) {
        Path failed = options.home().resolve("failed");
        touch(failed);
        Run run = new Run(options, output);
        // Ctrl-C ends the traffic; the comparison, and the end of the children, take their time.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> stop(run, finished), "quickstart-stop"));
        if (options.stopWithParent()) {
            ProcessHandle.current().parent().ifPresent(p -> p.onExit().thenRun(run::stop));
        }
        Result result = run.run();
        if (result.wrong() > 0) {
            output.line(
                    "quickstart: %d messages arrived changed, or should not have arrived"
                            .formatted(result.wrong()));
        }
        if (result.good()) {
            delete(failed);
        }
        output.line("quickstart: " + result.counts());
        return result.good() ? 0 : 1;
    }

    private static void stop(Run run, CountDownLatch finished) {
        run.stop();
        try {
            finished.await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void touch(Path file) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, "");
        } catch (IOException e) {
            throw new QuickstartException(file + " cannot be written: " + e.getMessage());
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new QuickstartException(file + " cannot be removed: " + e.getMessage());
        }
    }
}
