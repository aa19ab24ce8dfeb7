package dev.streamconnect.benchmark.contender;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a contender is to do.
 *
 * @param toHermes true: the destination is Hermes; false: the source
 * @param source bootstrap servers
 * @param destination bootstrap servers
 * @param sourceTopics full names
 * @param destinationTopics full names, in the order of the source topics
 * @param group name of the consumer group, new for each run
 * @param folder its own, for files that it needs
 * @param consumer client properties, with those of TLS
 * @param producer client properties, with those of TLS
 * @param options of this project's component, without {@code camel.component.}; others ignore them
 */
public record ContenderSettings(
        boolean toHermes,
        String source,
        String destination,
        List<String> sourceTopics,
        List<String> destinationTopics,
        String group,
        Path folder,
        Map<String, String> consumer,
        Map<String, String> producer,
        Map<String, String> options) {

    private static final String CONSUMER = "consumer.";
    private static final String PRODUCER = "producer.";
    private static final String OPTION = "option.";

    /** Id of a topic replication of this project's contenders. */
    public static String id(int index) {
        return "replication-" + index;
    }

    /** Reads what {@link #save} wrote. */
    static ContenderSettings load(Path file) throws IOException {
        Properties all = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            all.load(reader);
        }
        return new ContenderSettings(
                Boolean.parseBoolean(all.getProperty("toHermes")),
                all.getProperty("source"),
                all.getProperty("destination"),
                List.of(all.getProperty("sourceTopics").split(",")),
                List.of(all.getProperty("destinationTopics").split(",")),
                all.getProperty("group"),
                Path.of(all.getProperty("folder")),
                below(CONSUMER, all),
                below(PRODUCER, all),
                below(OPTION, all));
    }

    /** Writes a file for {@link ContenderMain}. */
    public void save(Path file) throws IOException {
        Properties all = new Properties();
        all.setProperty("toHermes", Boolean.toString(toHermes));
        all.setProperty("source", source);
        all.setProperty("destination", destination);
        all.setProperty("sourceTopics", String.join(",", sourceTopics));
        all.setProperty("destinationTopics", String.join(",", destinationTopics));
        all.setProperty("group", group);
        all.setProperty("folder", folder.toString());
        consumer.forEach((name, value) -> all.setProperty(CONSUMER + name, value));
        producer.forEach((name, value) -> all.setProperty(PRODUCER + name, value));
        options.forEach((name, value) -> all.setProperty(OPTION + name, value));
        try (Writer writer = Files.newBufferedWriter(file)) {
            all.store(writer, null);
        }
    }

    private static Map<String, String> below(String prefix, Properties all) {
        Map<String, String> found = new TreeMap<>();
        for (String name : all.stringPropertyNames()) {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), all.getProperty(name));
            }
        }
        return found;
    }
}
