package dev.streamconnect.benchmark.contender;

import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * MirrorMaker 2 in dedicated mode, as {@code connect-mirror-maker.sh} starts it, with all that is
 * not replication turned off: heartbeats, checkpoints, topic settings, ACLs. A destination topic is
 * named {@code <alias>.<source topic>}, where the alias is the group's name.
 */
final class MirrorMakerTwo implements Contender {

    private static final String MAIN = "org.apache.kafka.connect.mirror.MirrorMaker";
    private static final String TARGET = "target";

    @Override
    public AutoCloseable start(ContenderSettings settings) throws Exception {
        Path file = settings.folder().resolve("mm2.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties(settings).store(writer, null);
        }
        // Its libraries are on the class path of this process only.
        Method main = Class.forName(MAIN).getMethod("main", String[].class);
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                main.invoke(null, (Object) new String[] {file.toString()});
                            } catch (ReflectiveOperationException e) {
                                e.printStackTrace();
                                Runtime.getRuntime().halt(1);
                            }
                        },
                        "mirror-maker");
        thread.setDaemon(true);
        thread.start();
        // It stops with the JVM: it has a shutdown hook of its own.
        return () -> {};
    }

    private static Properties properties(ContenderSettings settings) throws IOException {
        String alias = settings.group();
        String flow = alias + "->" + TARGET;
        Properties all = new Properties();
        all.setProperty("clusters", alias + "," + TARGET);
        all.setProperty(alias + ".bootstrap.servers", settings.source());
        all.setProperty(TARGET + ".bootstrap.servers", settings.destination());
        all.setProperty(flow + ".enabled", "true");
        all.setProperty(TARGET + "->" + alias + ".enabled", "false");
        all.setProperty(
                flow + ".topics",
                settings.sourceTopics().stream()
                        .map(topic -> topic.replace(".", "\\."))
                        .collect(Collectors.joining(",")));
        for (String off :
                new String[] {
                    "emit.heartbeats.enabled",
                    "emit.checkpoints.enabled",
                    // Without checkpoints nobody reads them.
                    "emit.offset-syncs.enabled",
                    "sync.topic.configs.enabled",
                    "sync.topic.acls.enabled",
                    "refresh.topics.enabled",
                    "refresh.groups.enabled"
                }) {
            all.setProperty(off, "false");
        }
        all.setProperty("tasks.max", "4");
        for (String one :
                new String[] {
                    "replication.factor",
                    "heartbeats.topic.replication.factor",
                    "offset.storage.replication.factor",
                    "offset.storage.partitions",
                    "status.storage.replication.factor",
                    "status.storage.partitions",
                    "config.storage.replication.factor"
                }) {
            all.setProperty(one, "1");
        }
        settings.consumer().forEach((name, value) -> put(all, alias, "consumer.", name, value));
        settings.producer().forEach((name, value) -> put(all, TARGET, "producer.", name, value));
        return all;
    }

    /** What is about TLS is for all clients of the cluster. */
    private static void put(
            Properties all, String cluster, String role, String name, String value) {
        boolean security = Pattern.matches("ssl\\..*|security\\.protocol", name);
        all.setProperty(cluster + "." + (security ? "" : role) + name, value);
    }
}
