package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.contender.ContenderMain;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import dev.streamconnect.benchmark.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A contender at work. */
final class ContenderProcess implements AutoCloseable {

    /** The same for all. */
    static final List<String> JVM = List.of("-Xmx1g", "-XX:+UseG1GC");

    private static final List<String> LOGGING =
            List.of(
                    "-Dlog4j2.configurationFile=classpath:benchmark-log4j2.properties",
                    "-Dlog4j.configuration=benchmark-log4j.properties",
                    "-Dbenchmark.log.level=" + System.getProperty("benchmark.log.level", "warn"));
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final ChildProcess process;
    private final long begun = System.nanoTime();

    private ContenderProcess(ChildProcess process) {
        this.process = process;
    }

    static ContenderProcess start(
            ContenderKind kind, ContenderSettings settings, Libraries libraries, boolean jfr)
            throws IOException {
        Path folder = settings.folder();
        Path file = folder.resolve("contender.properties");
        Files.createDirectories(folder);
        settings.save(file);
        List<String> jvm = new ArrayList<>(JVM);
        jvm.addAll(LOGGING);
        if (jfr) {
            jvm.add(
                    "-XX:StartFlightRecording=settings=profile,dumponexit=true,filename="
                            + folder.resolve("contender.jfr"));
        }
        return new ContenderProcess(
                ChildProcess.start(
                        jvm,
                        kind == ContenderKind.MIRROR
                                ? libraries.mirrorMaker()
                                : libraries.contender(),
                        List.of(ContenderMain.class.getName(), kind.name(), file.toString()),
                        folder.resolve("contender.log")));
    }

    void awaitStarted() {
        process.awaitLine(ContenderMain.STARTED, START_LIMIT);
    }

    /** Since it was launched. */
    double secondsSinceStart() {
        return (System.nanoTime() - begun) / 1e9;
    }

    long cpuNanos() {
        return process.cpuNanos();
    }

    /**
     * What its JVM knows.
     *
     * @param allocatedBytes of its living threads
     * @param pausedMillis by the garbage collector
     */
    record Memory(long allocatedBytes, long pausedMillis) {}

    Memory memory() {
        process.tell("memory");
        String answer = process.awaitLine(ContenderMain.MEMORY, ANSWER_LIMIT);
        String[] numbers = answer.substring(ContenderMain.MEMORY.length()).split(" ");
        return new Memory(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    }

    double peakRssMegabytes() {
        return process.peakRssMegabytes();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.close();
    }
}
