package dev.streamconnect.it;

import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * First deliveries of messages of both sides of Hermes, against the logs that they come from.
 *
 * @param disorders first deliveries of a key that lie before one that is older in the log of the
 *     same side
 * @param onBothSides messages that are in both logs and so not looked at: they may come from either
 */
record SideOrder(List<String> disorders, int onBothSides) {

    private record Place(Side side, int index) {}

    /**
     * @param sources of both sides, in the order of their logs
     * @param delivered at the destination, in the order of its log
     */
    static SideOrder of(List<Stored> sources, List<Stored> delivered) {
        Map<String, Place> places = new HashMap<>();
        Set<String> onBothSides = new HashSet<>();
        for (int i = 0; i < sources.size(); i++) {
            Place place = new Place(sources.get(i).side(), i);
            Place before = places.putIfAbsent(message(sources.get(i)), place);
            if (before != null && before.side() != place.side()) {
                onBothSides.add(message(sources.get(i)));
            }
        }
        Map<String, Integer> latest = new HashMap<>();
        Set<String> seen = new HashSet<>();
        List<String> disorders = new ArrayList<>();
        for (Stored record : delivered) {
            String message = message(record);
            Place place = places.get(message);
            if (place == null || !seen.add(message) || onBothSides.contains(message)) {
                continue;
            }
            String log = place.side() + " " + record.keyText();
            Integer before = latest.put(log, place.index());
            if (before != null && before > place.index()) {
                disorders.add(log + ": " + message(sources.get(before)) + " before " + message);
            }
        }
        return new SideOrder(disorders, onBothSides.size());
    }

    private static String message(Stored record) {
        return record.keyText() + "#" + record.text();
    }
}
