package dev.streamconnect.camel.replication;

import java.util.List;

/**
 * What {@code operation=pause} or {@code operation=resume} did on this node.
 *
 * @param changed ids of the topic replications that it paused, or resumed
 * @param unchanged ids of those that were so already
 */
public record LinksChanged(List<String> changed, List<String> unchanged) {

    public LinksChanged {
        changed = List.copyOf(changed);
        unchanged = List.copyOf(unchanged);
    }
}
