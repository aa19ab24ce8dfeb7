package dev.streamconnect.quickstart;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What {@code -Dquickstart.…} says.
 *
 * @param traffic how long to send; zero: until Ctrl-C
 * @param rate messages a second, of all topics together
 * @param basePort first producer port of Hermes; side A is 100 and side B 200 above it
 * @param localPort port of the local Kafka
 * @param freePorts whether to take free ports instead
 * @param stopWithParent whether to end when the process ends that started this one
 * @param home where the libraries and the files of a run are
 * @param sandboxHome where the sandbox's libraries are
 */
record Options(
        Duration traffic,
        int rate,
        int basePort,
        int localPort,
        boolean freePorts,
        boolean stopWithParent,
        Path home,
        Path sandboxHome) {

    private static final int DEFAULT_RATE = 2_200;

    /**
     * Reads them.
     *
     * @param properties answers null for what is not set
     * @throws QuickstartException naming the option at fault
     */
    static Options of(UnaryOperator<String> properties) {
        return new Options(
                Duration.ofSeconds(number(properties, "quickstart.seconds", 0, 0, 86_400)),
                number(properties, "quickstart.rate", DEFAULT_RATE, 10, 1_000_000),
                number(properties, "quickstart.basePort", 4_000, 1, 64_000),
                number(properties, "quickstart.localPort", 9_092, 1, 65_535),
                Boolean.parseBoolean(properties.apply("quickstart.freePorts")),
                Boolean.parseBoolean(properties.apply("quickstart.stopWithParent")),
                folder(properties, "quickstart.home"),
                folder(properties, "sandbox.home"));
    }

    /** The folder with the files that a user edits. */
    Path sample() {
        return home.getParent().getParent();
    }

    /** Whether Ctrl-C alone ends the traffic. */
    boolean endless() {
        return traffic.isZero();
    }

    private static Path folder(UnaryOperator<String> properties, String option) {
        String given = properties.apply(option);
        if (given == null || given.isBlank()) {
            throw new QuickstartException(
                    "-D" + option + " is missing; start with mvn -Pquickstart");
        }
        return Path.of(given).toAbsolutePath().normalize();
    }

    private static int number(
            UnaryOperator<String> properties, String option, int otherwise, int least, int most) {
        String given = properties.apply(option);
        if (given == null || given.isBlank()) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(given.strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // the line below serves both faults
        }
        throw new QuickstartException(
                "-D%s=%s is no number from %d to %d".formatted(option, given, least, most));
    }
}
