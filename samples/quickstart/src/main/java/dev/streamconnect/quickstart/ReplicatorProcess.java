package dev.streamconnect.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The replicator in a process of its own, run as a user runs it: in the folder of its files. */
final class ReplicatorProcess implements AutoCloseable {

    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, JsonNode> said = new HashMap<>();
    private final ChildProcess process;
    private final Path folder;

    private ReplicatorProcess(ChildProcess process, Path folder) {
        this.process = process;
        this.folder = folder;
    }

    static ReplicatorProcess start(Options options, LocalHermes hermes, Output output) {
        Path folder = options.home().resolve("replicator");
        clear(folder);
        List<String> arguments = new ArrayList<>(List.of("-Xmx512m", "-XX:+UseSerialGC"));
        arguments.addAll(hermes.properties());
        arguments.add("-Drun.folder=" + folder);
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
        return new ReplicatorProcess(process, folder);
    }

    /** State by topic replication as it says itself; empty before it has said any. */
    Map<String, State> states() {
        Map<String, State> states = new LinkedHashMap<>();
        for (JsonNode each : read("status.json")) {
            states.put(
                    each.get("id").asText(),
                    new State(each.get("state").asText(), each.path("reason").asText("")));
        }
        return states;
    }

    /** What is in its undelivered store as it says itself. */
    List<StoredMessage> stored() {
        List<StoredMessage> stored = new ArrayList<>();
        for (JsonNode each : read("undelivered.json")) {
            stored.add(
                    new StoredMessage(
                            each.get("id").asText(),
                            each.get("reason").asText(),
                            each.get("errorText").asText()));
        }
        return stored;
    }

    /** Its undelivered store, to be read when it has stopped. */
    Path store() {
        return folder.resolve("undelivered");
    }

    private JsonNode read(String file) {
        try {
            if (Files.exists(folder.resolve(file))) {
                said.put(file, json.readTree(folder.resolve(file).toFile()));
            }
        } catch (IOException e) {
            // it is replaced right now; what it said before still holds
        }
        return said.getOrDefault(file, json.createArrayNode());
    }

    /** The topics of a run are new, so what is left of the run before belongs to none. */
    private static void clear(Path folder) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new QuickstartException(folder + " cannot be cleared: " + e.getMessage());
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * One message in its undelivered store.
     *
     * @param id of the topic replication
     * @param reason why it is there
     * @param errorText the same in words
     */
    record StoredMessage(String id, String reason, String errorText) {

        /** Whether it waits only for an earlier one of its key. */
        boolean isBehindKey() {
            return reason.equals("BEHIND_KEY");
        }
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
