package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds records that copy in a loop, over any number of hops and clusters. It follows one edge of
 * each topic on a loop, reports that loop, takes its last record out and looks again, so each
 * report stands for a record that has to go.
 */
final class LoopRule {

    private final List<Link> links;
    private final Faults faults;

    LoopRule(List<Link> links, Faults faults) {
        this.links = links;
        this.faults = faults;
    }

    void check() {
        List<Link> open = new ArrayList<>(links);
        for (int i = 0; i < Faults.LIMIT; i++) {
            trim(open);
            if (open.isEmpty()) {
                return;
            }
            List<Link> loop = loop(open);
            Link last = last(loop);
            faults.add(last.topic().pointer(), RecordRule.LOOP, message(loop));
            open.remove(last);
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

    private static List<Link> loop(List<Link> open) {
        Map<String, Link> next = new HashMap<>();
        open.forEach(link -> next.putIfAbsent(link.source(), link));
        Map<String, Integer> seen = new LinkedHashMap<>();
        List<Link> path = new ArrayList<>();
        Link link = open.get(0);
        while (!seen.containsKey(link.source())) {
            seen.put(link.source(), path.size());
            path.add(link);
            link = next.get(link.destination());
        }
        return path.subList(seen.get(link.source()), path.size());
    }

    private Link last(List<Link> loop) {
        return loop.stream().reduce((a, b) -> links.indexOf(a) > links.indexOf(b) ? a : b).get();
    }

    private String message(List<Link> loop) {
        String records =
                loop.stream().map(link -> link.named(faults)).collect(Collectors.joining(", "));
        String path =
                loop.stream().map(Link::source).collect(Collectors.joining(" -> "))
                        + " -> "
                        + loop.get(0).source();
        String what =
                loop.size() == 2 ? " copy one pair in both directions: " : " copy in a loop: ";
        return records + what + path + "; deactivate or remove one of them";
    }
}
