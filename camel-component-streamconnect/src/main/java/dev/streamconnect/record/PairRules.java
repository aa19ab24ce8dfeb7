package dev.streamconnect.record;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Each source has one destination, and each destination is used once. */
final class PairRules {

    private final List<Link> links;
    private final Faults faults;

    PairRules(List<Link> links, Faults faults) {
        this.links = links;
        this.faults = faults;
    }

    void check() {
        Map<String, Link> bySource = new HashMap<>();
        Map<String, Link> byDestination = new HashMap<>();
        for (Link link : links) {
            Link sameSource = bySource.putIfAbsent(link.source(), link);
            Link sameDestination = byDestination.putIfAbsent(link.destination(), link);
            if (sameSource != null && sameSource.destination().equals(link.destination())) {
                add(
                        link,
                        RecordRule.SAME_PAIR_TWICE,
                        both(sameSource, link)
                                + " both copy "
                                + link.source()
                                + " to "
                                + link.destination()
                                + "; remove one of them");
                continue;
            }
            if (sameSource != null) {
                add(
                        link,
                        RecordRule.SOURCE_WITH_TWO_DESTINATIONS,
                        both(sameSource, link)
                                + " both read "
                                + link.source()
                                + ", and a source has one destination; deactivate or remove one");
            }
            if (sameDestination != null) {
                add(
                        link,
                        RecordRule.DESTINATION_USED_TWICE,
                        both(sameDestination, link)
                                + " both write to "
                                + link.destination()
                                + ", and a destination is used once; deactivate or remove one");
            }
        }
    }

    private String both(Link first, Link second) {
        return first.named(faults) + " and " + second.named(faults);
    }

    private void add(Link link, RecordRule rule, String message) {
        faults.add(link.topic().pointer(), rule, message);
    }
}
