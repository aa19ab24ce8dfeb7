package dev.streamconnect.it;

import dev.streamconnect.it.ReadBack.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An independent count of what a route should have made of {@link Traffic}: of each key a list of
 * different values in the order in which they must arrive.
 *
 * @param expected how many different records should be there
 * @param lost of those, the missing ones, as {@code key#value}
 * @param unexpected records that the route should not have made
 * @param duplicates records beyond the first of each
 * @param disorders first deliveries of a key that lie before an earlier one of the same key
 */
record RoutedAudit(
        int expected,
        List<String> lost,
        List<String> unexpected,
        int duplicates,
        List<String> disorders) {

    static RoutedAudit of(Map<String, List<String>> expected, List<Stored> stored) {
        Map<String, Map<String, Integer>> places = new HashMap<>();
        int count = 0;
        for (Map.Entry<String, List<String>> key : expected.entrySet()) {
            Map<String, Integer> places0 = new HashMap<>();
            for (String value : key.getValue()) {
                places0.put(value, places0.size());
            }
            places.put(key.getKey(), places0);
            count += places0.size();
        }
        Set<String> seen = new HashSet<>();
        Map<String, Integer> highest = new HashMap<>();
        List<String> unexpected = new ArrayList<>();
        List<String> disorders = new ArrayList<>();
        int duplicates = 0;
        for (Stored record : stored) {
            String key = record.keyText();
            String name = key + "#" + record.text();
            Integer place = places.getOrDefault(key, Map.of()).get(record.text());
            if (place == null) {
                unexpected.add(name);
            } else if (!seen.add(name)) {
                duplicates++;
            } else {
                Integer before = highest.put(key, place);
                if (before != null && before > place) {
                    disorders.add(name + " late");
                }
            }
        }
        List<String> lost = new ArrayList<>();
        expected.forEach(
                (key, values) ->
                        values.stream()
                                .map(value -> key + "#" + value)
                                .filter(name -> !seen.contains(name))
                                .forEach(lost::add));
        return new RoutedAudit(count, lost, unexpected, duplicates, disorders);
    }

    @Override
    public String toString() {
        return "expected="
                + expected
                + " lost="
                + lost.size()
                + " unexpected="
                + unexpected.size()
                + " duplicates="
                + duplicates
                + " disorders="
                + disorders.size();
    }
}
