package dev.streamconnect.it;

import java.util.ArrayList;
import java.util.List;

/**
 * How a sandbox is started.
 *
 * @param arguments further options of its command line
 */
public record SandboxOptions(List<String> arguments) {

    public SandboxOptions {
        arguments = List.copyOf(arguments);
    }

    /** One broker a side, instance {@code acme}. */
    public static SandboxOptions defaults() {
        return new SandboxOptions(List.of());
    }

    /** With brokers a side; B's leaders are on the other broker than A's. */
    public SandboxOptions brokersPerSide(int brokers) {
        return with("--brokers-per-side", String.valueOf(brokers));
    }

    /** Brokers advertise the nth port of each range. */
    public SandboxOptions advertiseOffset(int offset) {
        return with("--advertise-offset", String.valueOf(offset));
    }

    public SandboxOptions instance(String instance) {
        return with("--instance", instance);
    }

    /** Any other option of the command line. */
    public SandboxOptions with(String... more) {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of(more));
        return new SandboxOptions(all);
    }
}
