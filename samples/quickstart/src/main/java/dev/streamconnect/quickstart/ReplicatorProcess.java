package dev.streamconnect.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The replicator in a process of its own, run as a user runs it: in the folder of its files. */
final class ReplicatorProcess implements AutoCloseable {

    private final ObjectMapper json = new ObjectMapper();
    private final ChildProcess process;
    private final Path status;

    private ReplicatorProcess(ChildProcess process, Path status) {
        this.process = process;
        this.status = status;
    }

    static ReplicatorProcess start(Options options, LocalHermes hermes, Output output) {
        Path status = options.home().resolve("status.json");
        try {
            Files.deleteIfExists(status);
        } catch (IOException e) {
            throw new QuickstartException(status + " cannot be removed: " + e.getMessage());
        }
        List<String> arguments = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC"));
        arguments.addAll(hermes.properties());
        arguments.add("-Dstatus.folder=" + options.home());
        arguments.add("-Dlog4j2.configurationFile=log4j2.properties");
        arguments.add("-Dreplicator.stopOnEof=true");
        arguments.addAll(
                List.of("-cp", ChildProcess.libraries(options.home()), Replicator.class.getName()));
        ChildProcess process =
                ChildProcess.start(
                        options.sample(),
                        Map.of("HERMES_PASSWORD", hermes.password()),
                        arguments,
                        line -> output.line("replicator | " + line));
        return new ReplicatorProcess(process, status);
    }

    /** State by topic replication as it says itself; empty before it has said any. */
    Map<String, State> states() {
        Map<String, State> states = new LinkedHashMap<>();
        try {
            if (Files.exists(status)) {
                for (JsonNode each : json.readTree(status.toFile())) {
                    states.put(
                            each.get("id").asText(),
                            new State(each.get("state").asText(), each.path("reason").asText("")));
                }
            }
        } catch (IOException e) {
            // it is replaced right now; the next look finds it
        }
        return states;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * What it says of one topic replication.
     *
     * @param name of the state
     * @param reason empty for a state that needs none
     */
    record State(String name, String reason) {

        boolean running() {
            return name.equals("RUNNING") || name.equals("IDLE");
        }
    }
}
