package dev.streamconnect.sandbox;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Exit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * The command. It prints a table of ports and then the line {@code sandbox: ready}, and runs until
 * it is told to end. Exit code 0 after an orderly end, 1 for a fault that the user can mend, 2 for
 * bad options, 3 if a broker died.
 */
@Command(
        name = "hermes-sandbox",
        mixinStandardHelpOptions = true,
        description = "A local Hermes: two Kafka clusters behind a gateway, and a local Kafka.")
public final class HermesSandbox implements Callable<Integer> {

    private static final int BROKER_DIED = 3;
    private static final int STOP_SECONDS = 15;

    @Mixin SandboxOptions options;

    public static void main(String[] args) {
        int exitCode =
                new CommandLine(new HermesSandbox())
                        .setExecutionExceptionHandler((e, line, result) -> explain(e))
                        .execute(args);
        System.exit(exitCode);
    }

    @Override
    public Integer call() throws Exception {
        options.validate();
        SandboxFolder folder = SandboxFolder.open(options.directory);
        // read by the log configuration, which is loaded by the first logger
        System.setProperty("sandbox.log", folder.log().toString());
        System.setProperty("sandbox.log.level", options.logLevel);
        endWithBroker(folder);

        SandboxStart parts = new SandboxStart(options, folder);
        Thread stop = new Thread(() -> stop(parts, folder), "sandbox-stop");
        Runtime.getRuntime().addShutdownHook(stop);
        SandboxDescription description = parts.start();
        System.out.print(description.table());
        System.out.println("sandbox: ready");
        waitForTheEnd();
        return 0;
    }

    private static int explain(Exception e) {
        boolean usersFault = e instanceof SandboxException;
        System.err.println("sandbox: " + (usersFault ? e.getMessage() : "could not start: " + e));
        return 1;
    }

    private static void endWithBroker(SandboxFolder folder) {
        Exit.Procedure died =
                (code, message) -> {
                    System.err.println(
                            "sandbox: a broker died: "
                                    + folder.firstError().orElse(String.valueOf(message)));
                    Runtime.getRuntime().halt(BROKER_DIED);
                };
        Exit.setHaltProcedure(died);
        Exit.setExitProcedure(died);
    }

    private void waitForTheEnd() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        if (options.stopWithParent) {
            ProcessHandle.current()
                    .parent()
                    .ifPresentOrElse(
                            parent -> parent.onExit().thenRun(end::countDown), end::countDown);
        }
        if (options.stopOnEof) {
            Thread reader = new Thread(() -> awaitEof(end), "sandbox-stdin");
            reader.setDaemon(true);
            reader.start();
        }
        end.await();
    }

    private static void awaitEof(CountDownLatch end) {
        try {
            while (System.in.read() >= 0) {
                // what is written to it has no meaning
            }
        } catch (IOException e) {
            // as good as its end
        }
        end.countDown();
    }

    private static void stop(SandboxStart parts, SandboxFolder folder) {
        Thread limit =
                new Thread(
                        () -> {
                            try {
                                TimeUnit.SECONDS.sleep(STOP_SECONDS);
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                                return;
                            }
                            System.err.println("sandbox: the brokers did not stop in time");
                            Runtime.getRuntime().halt(1);
                        },
                        "sandbox-stop-limit");
        limit.setDaemon(true);
        limit.start();
        parts.close();
        try {
            folder.close();
        } catch (IOException e) {
            System.err.println("sandbox: the data of the brokers was not removed: " + e);
        }
    }
}
