package dev.streamconnect.engine;

import dev.streamconnect.cluster.MissingRight;
import dev.streamconnect.cluster.OptionalRight;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the optional rights that are missing: one line for each side and right when the first link
 * does without it, and one when no link does any more, whatever number of links and topics it is
 * about. One thread at a time.
 */
final class MissingRights {

    private static final Logger LOG = LoggerFactory.getLogger(MissingRights.class);

    private record SideAndRight(String side, OptionalRight right) {}

    /** The links that did without, at the last look. */
    private Map<SideAndRight, Set<String>> told = Map.of();

    /**
     * Looks at all links.
     *
     * @param links by their ids; of those that are gone nothing is told
     */
    void tell(Map<String, ? extends Collection<MissingRight>> links) {
        Map<SideAndRight, Set<String>> now = new HashMap<>();
        links.forEach(
                (id, rights) ->
                        rights.forEach(
                                missing -> {
                                    SideAndRight key =
                                            new SideAndRight(missing.side(), missing.right());
                                    if (!now.containsKey(key) && !told.containsKey(key)) {
                                        tell(missing);
                                    }
                                    now.computeIfAbsent(key, k -> new HashSet<>()).add(id);
                                }));
        told.forEach(
                (before, ids) -> {
                    if (!now.containsKey(before) && ids.stream().anyMatch(links::containsKey)) {
                        LOG.info(
                                "{}: the optional right {} is there now",
                                before.side(),
                                before.right().label());
                    }
                });
        told = now;
    }

    private static void tell(MissingRight missing) {
        LOG.info(
                "{}: the optional right {}. Without it {}. To have it: {}. Other topics of that side"
                        + " that lack it are in the status",
                missing.side(),
                missing.text(),
                missing.right().lost(),
                missing.mend());
    }
}
