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
 * An independent count of {@link Traffic} at the destination.
 *
 * @param delivered different messages that are in a log of A or B
 * @param lost messages in neither, as {@code key#number}
 * @param duplicates records beyond the first of each message, of both sides together
 * @param onBothSides messages that are in A and in B
 * @param disorders first deliveries of a key that lie before a smaller number of the same key in
 *     one log
 */
record Audit(
        int delivered, List<String> lost, int duplicates, int onBothSides, List<String> disorders) {

    static Audit of(Map<String, Integer> sent, List<Stored> stored) {
        Map<String, Set<Integer>> seen = new HashMap<>();
        Map<String, Integer> highest = new HashMap<>();
        Map<String, Set<Side>> sides = new HashMap<>();
        List<String> disorders = new ArrayList<>();
        int duplicates = 0;
        int both = 0;
        for (Stored record : stored) {
            String key = record.keyText();
            int number = Integer.parseInt(record.text());
            String log = record.side() + " " + key;
            boolean firstInLog =
                    sides.computeIfAbsent(key + "#" + number, k -> new HashSet<>())
                            .add(record.side());
            if (!seen.computeIfAbsent(key, k -> new HashSet<>()).add(number)) {
                duplicates++;
                both += firstInLog ? 1 : 0;
            }
            if (firstInLog) {
                Integer before = highest.put(log, number);
                if (before != null && before > number) {
                    disorders.add(log + ": " + before + " before " + number);
                }
            }
        }
        List<String> lost = new ArrayList<>();
        int delivered = 0;
        for (Map.Entry<String, Integer> key : sent.entrySet()) {
            Set<Integer> got = seen.getOrDefault(key.getKey(), Set.of());
            delivered += got.size();
            for (int number = 0; number < key.getValue(); number++) {
                if (!got.contains(number)) {
                    lost.add(key.getKey() + "#" + number);
                }
            }
        }
        return new Audit(delivered, lost, duplicates, both, disorders);
    }

    @Override
    public String toString() {
        return "delivered="
                + delivered
                + " lost="
                + lost.size()
                + first(lost)
                + " duplicates="
                + duplicates
                + " onBothSides="
                + onBothSides
                + " disorders="
                + disorders.size()
                + first(disorders);
    }

    private static String first(List<String> all) {
        return all.isEmpty() ? "" : all.subList(0, Math.min(5, all.size())).toString();
    }
}
