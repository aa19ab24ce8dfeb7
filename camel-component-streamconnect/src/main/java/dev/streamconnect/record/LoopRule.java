package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds records that copy in a loop, over any number of hops and clusters. It follows one edge of
 * each topic, reports the loops so met, takes the last record of each out and looks again, so each
 * report stands for a record that has to go.
 */
final class LoopRule {

    /** Most records of one loop that are named. */
    private static final int NAMED = 40;

    private final Map<Link, Integer> links = new LinkedHashMap<>();
    private final Faults faults;

    LoopRule(List<Link> links, Faults faults) {
        links.forEach(link -> this.links.put(link, this.links.size()));
        this.faults = faults;
    }

    void check() {
        List<Link> open = new ArrayList<>(links.keySet());
        int found = 0;
        trim(open);
        while (!open.isEmpty() && found < Faults.LIMIT) {
            Set<Link> lasts = new HashSet<>();
            for (List<Link> loop : loops(open)) {
                Link last = Collections.max(loop, Comparator.comparing(links::get));
                faults.add(last.topic().pointer(), RecordRule.LOOP, message(loop));
                lasts.add(last);
            }
            found += lasts.size();
            open.removeAll(lasts);
            trim(open);
        }
    }

    /** Takes out, again and again, what leads to a topic that nothing reads. */
    private static void trim(List<Link> open) {
        Map<String, Integer> readers = new HashMap<>();
        Map<String, List<Link>> writers = new HashMap<>();
        for (Link link : open) {
            readers.merge(link.source(), 1, Integer::sum);
            writers.computeIfAbsent(link.destination(), t -> new ArrayList<>()).add(link);
        }
        List<String> dead = new ArrayList<>();
        writers.keySet().stream().filter(t -> !readers.containsKey(t)).forEach(dead::add);
        Set<Link> gone = new HashSet<>();
        while (!dead.isEmpty()) {
            String topic = dead.remove(dead.size() - 1);
            for (Link link : writers.getOrDefault(topic, List.of())) {
                if (gone.add(link) && readers.merge(link.source(), -1, Integer::sum) == 0) {
                    dead.add(link.source());
                }
            }
        }
        open.removeAll(gone);
    }

    /** The loops met by following the first edge of each topic; at least one. */
    private static List<List<Link>> loops(List<Link> open) {
        Map<String, Link> next = new HashMap<>();
        open.forEach(link -> next.putIfAbsent(link.source(), link));
        List<List<Link>> loops = new ArrayList<>();
        Set<String> done = new HashSet<>();
        for (Link start : open) {
            Map<String, Integer> seen = new HashMap<>();
            List<Link> path = new ArrayList<>();
            String topic = start.source();
            while (!done.contains(topic) && !seen.containsKey(topic)) {
                seen.put(topic, path.size());
                path.add(next.get(topic));
                topic = next.get(topic).destination();
            }
            if (seen.containsKey(topic)) {
                loops.add(path.subList(seen.get(topic), path.size()));
            }
            done.addAll(seen.keySet());
        }
        return loops;
    }

    private String message(List<Link> loop) {
        String more = loop.size() > NAMED ? " and " + (loop.size() - NAMED) + " more" : "";
        String records =
                loop.stream()
                        .limit(NAMED)
                        .map(link -> link.named(faults))
                        .collect(Collectors.joining(", "));
        String path =
                loop.stream().limit(NAMED).map(Link::source).collect(Collectors.joining(" -> "))
                        + (more.isEmpty() ? " -> " : " -> ... -> ")
                        + loop.get(0).source();
        String what =
                loop.size() == 2 ? " copy one pair in both directions: " : " copy in a loop: ";
        return records + more + what + path + "; deactivate or remove one of them";
    }
}
