package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.broker.Brokers;
import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What all runs share: brokers, source, libraries; and how a contender is set to work on them. */
final class Bench {

    private final Brokers brokers;
    private final Source source;
    private final Topics destinationTopics;
    private final Libraries libraries;
    private final Path folder;
    private final boolean jfr;
    private int runs;

    /**
     * @param folder for the contenders' files
     * @param jfr record each contender with Java Flight Recorder; that costs a little
     */
    Bench(Brokers brokers, Libraries libraries, Path folder, boolean jfr) {
        this.brokers = brokers;
        this.source = new Source(brokers.source());
        this.destinationTopics = new Topics(brokers.destination());
        this.libraries = libraries;
        this.folder = folder;
        this.jfr = jfr;
    }

    Brokers brokers() {
        return brokers;
    }

    Source source() {
        return source;
    }

    Topics destinationTopics() {
        return destinationTopics;
    }

    /**
     * Makes new destination topics and says what the contender has to do. Every run has a group of
     * its own, so it begins at the start of the source.
     */
    ContenderSettings prepare(Workload workload, ContenderKind kind, List<String> sourceTopics)
            throws Exception {
        runs++;
        String group = "run" + runs;
        Listener atSource = workload.toHermes() ? Listener.PLAIN : workload.listener();
        Listener atDestination = workload.toHermes() ? workload.listener() : Listener.PLAIN;
        Broker from = brokers.source();
        Broker to = brokers.destination();
        List<String> destinations =
                IntStream.range(0, sourceTopics.size())
                        .mapToObj(i -> destination(kind, group, sourceTopics.get(i), i))
                        .toList();
        destinationTopics.create(
                destinations,
                workload.traffic().partitions(),
                // What has been counted may go: the disk is not what is measured.
                Map.of("retention.bytes", "268435456", "segment.bytes", "67108864"));
        Path own = folder.resolve(group + "-" + workload.name() + "-" + kind);
        Map<String, String> options = new HashMap<>(workload.options());
        if (kind.isOurs() && workload.stored().hasStore()) {
            Path database = own.resolve("undelivered");
            options.put(StoredAtStart.FILE_OPTION, database.toString());
            options.put("replication.undeliveredMaxRows", "10000000");
            options.put("replication.undeliveredMaxBytes", "100000000000");
        }
        return new ContenderSettings(
                workload.toHermes(),
                from.bootstrap(atSource),
                to.bootstrap(atDestination),
                sourceTopics,
                destinations,
                group,
                own,
                together(ClientSettings.consumer(), from.clientSecurity(atSource)),
                together(
                        ClientSettings.producer(workload.toHermes()),
                        to.clientSecurity(atDestination)),
                options);
    }

    /** MirrorMaker 2 names them itself: alias, dot, source topic. */
    private static String destination(
            ContenderKind kind, String group, String sourceTopic, int index) {
        return kind == ContenderKind.MIRROR
                ? group + "." + sourceTopic
                : "snc.acme." + group + "-" + index;
    }

    ContenderProcess start(ContenderKind kind, ContenderSettings settings) throws IOException {
        return ContenderProcess.start(kind, settings, libraries, jfr);
    }

    private static Map<String, String> together(
            Map<String, String> settings, Map<String, String> security) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(security);
        return all;
    }
}
