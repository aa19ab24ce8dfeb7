package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * Replicator processes of one configuration, nodes of one consumer group; the oldest goes first.
 * Not thread-safe.
 */
final class Nodes implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Supplier<ReplicatorSettings> settings;
    private final Path folder;

    /** By name, the oldest first. */
    private final Map<String, ReplicatorProcess> running = new LinkedHashMap<>();

    private int joined;

    /**
     * @param settings what all nodes share; the name of the node is added
     * @param folder below which each node has one of its own
     */
    Nodes(Supplier<ReplicatorSettings> settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
    }

    /** One more; returns when its routes are started. */
    Nodes join() {
        joined++;
        String name = "node-" + joined;
        running.put(
                name,
                ReplicatorProcess.start(
                        settings.get().set("camel.component.replication.node", name),
                        folder.resolve(name)));
        return this;
    }

    Nodes join(int count) {
        for (int i = 0; i < count; i++) {
            join();
        }
        return this;
    }

    /** The oldest stops in order; returns when it is gone. */
    void leave() {
        removeOldest().close();
    }

    /** {@code kill -9} of the oldest; returns when it is gone. */
    void kill() {
        removeOldest().kill();
    }

    private ReplicatorProcess removeOldest() {
        return running.remove(running.keySet().iterator().next());
    }

    /** Writes the files of each anew, from the settings as they are now: records are read again. */
    void changeRecords() {
        running.keySet().forEach(name -> settings.get().writeTo(folder.resolve(name)));
    }

    /** Waits until all that run read partitions of the group, and no other member is in it. */
    void awaitShared(Group group) {
        Awaitility.await(running.size() + " members of " + group.id())
                .atMost(LIMIT)
                .untilAsserted(
                        () -> {
                            Map<String, List<String>> members = group.members();
                            assertThat(members).hasSize(running.size());
                            assertThat(members.values()).noneMatch(List::isEmpty);
                        });
    }

    @Override
    public void close() {
        running.values().forEach(ReplicatorProcess::close);
    }
}
