package dev.streamconnect.sandbox;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The command line, filled by picocli. */
final class SandboxOptions {

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            defaultValue = "hermes",
            description = "Folder for all files (default: ${DEFAULT-VALUE})")
    Path directory;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            defaultValue = "acme",
            description = "The ServiceNow instance that is played (default: ${DEFAULT-VALUE})")
    String instance;

    @Option(
            names = "--client",
            paramLabel = "NAME",
            defaultValue = "streamconnect",
            description = "Name in the client certificate (default: ${DEFAULT-VALUE})")
    String client;

    @Option(
            names = "--brokers-per-side",
            paramLabel = "N",
            defaultValue = "1",
            description = "Brokers of A and of B, 1 to 4 (default: ${DEFAULT-VALUE})")
    int brokersPerSide;

    @Option(
            names = "--base-port",
            paramLabel = "PORT",
            defaultValue = "4000",
            description =
                    "First producer port; A is 100 and B 200 above it (default: ${DEFAULT-VALUE})")
    int basePort;

    @Option(
            names = "--local-port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Port of the local Kafka (default: ${DEFAULT-VALUE})")
    int localPort;

    @Option(
            names = "--control-port",
            paramLabel = "PORT",
            defaultValue = "4900",
            description = "HTTP control port (default: ${DEFAULT-VALUE})")
    int controlPort;

    @Option(
            names = "--free-ports",
            description = "Use free ports instead; they are listed in sandbox.json")
    boolean freePorts;

    @Option(
            names = "--advertise-offset",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Brokers advertise ports from the Nth of each range on, 0 to 47 (default: ${DEFAULT-VALUE})")
    int advertiseOffset;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            defaultValue = "localhost",
            description = "Host name that brokers advertise (default: ${DEFAULT-VALUE})")
    String host;

    @Option(
            names = "--server-name",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "localhost,127.0.0.1,*.service-now.com",
            description =
                    "Names and addresses in the server certificate (default: ${DEFAULT-VALUE})")
    List<String> serverNames;

    @Option(
            names = "--max-topic-partitions",
            paramLabel = "N",
            defaultValue = "32",
            description = "Most partitions of a topic of A and B (default: ${DEFAULT-VALUE})")
    int maxTopicPartitions;

    @Option(
            names = "--max-partitions",
            paramLabel = "N",
            defaultValue = "960",
            description =
                    "Most partitions of all topics of A, and of B (default: ${DEFAULT-VALUE})")
    int maxPartitions;

    @Option(
            names = "--equal-node-ids",
            description = "Give the brokers of A and B the same node ids")
    boolean equalNodeIds;

    @Option(names = "--stop-on-eof", description = "Stop when standard input ends")
    boolean stopOnEof;

    @Option(
            names = "--stop-with-parent",
            description = "Stop when the process ends that started this one")
    boolean stopWithParent;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "warn",
            description = "Level of sandbox.log (default: ${DEFAULT-VALUE})")
    String logLevel;

    /**
     * Checks what picocli does not.
     *
     * @throws SandboxException naming the option at fault
     */
    void validate() {
        require(brokersPerSide >= 1 && brokersPerSide <= 4, "--brokers-per-side is 1 to 4");
        require(advertiseOffset >= 0 && advertiseOffset <= 47, "--advertise-offset is 0 to 47");
        require(maxTopicPartitions >= 1, "--max-topic-partitions is 1 or more");
        require(maxPartitions >= 1, "--max-partitions is 1 or more");
        require(basePort > 0 && basePort <= 65_000, "--base-port is 1 to 65000");
        require(localPort > 0 && localPort <= 65_535, "--local-port is 1 to 65535");
        require(controlPort > 0 && controlPort <= 65_535, "--control-port is 1 to 65535");
        require(instance.matches("[a-z0-9-]{1,40}"), "--instance has 1 to 40 of a-z, 0-9 and -");
        require(
                client.matches("[A-Za-z0-9._-]{1,64}"),
                "--client has 1 to 64 of A-Z a-z 0-9 . _ -");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new SandboxException(rule);
        }
    }
}
