package dev.streamconnect.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.kafka.common.utils.AppInfoParser;

/** What a result depends on. */
final class Environment {

    private Environment() {}

    static Map<String, String> machine(Path data) {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("processor", processor() + ", " + system.getAvailableProcessors() + " cores");
        machine.put("memory", (system.getTotalMemorySize() >> 20) + " MiB");
        machine.put(
                "system", system.getName() + " " + system.getVersion() + " " + system.getArch());
        machine.put("load average at the start", String.valueOf(system.getSystemLoadAverage()));
        machine.put("brokers' data on", fileStore(data));
        machine.put("network", "loopback; brokers and contenders share the machine");
        return machine;
    }

    static Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("this project, commit", commit());
        versions.put("Java", Runtime.version() + ", " + System.getProperty("java.vm.name"));
        versions.put("Kafka (brokers, clients, MirrorMaker 2)", AppInfoParser.getVersion());
        versions.put("Camel", new DefaultCamelContext().getVersion());
        return versions;
    }

    /** With a star where there are changes beside it. */
    private static String commit() {
        try {
            Process git =
                    new ProcessBuilder("git", "describe", "--always", "--dirty=*", "--abbrev=10")
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String name =
                    new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return name.isEmpty() ? "unknown" : name;
        } catch (IOException e) {
            return "unknown";
        }
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException | UncheckedIOException e) {
            return "unknown";
        }
    }

    private static String fileStore(Path data) {
        try {
            return Files.getFileStore(data).type();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
