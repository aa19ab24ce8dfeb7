package dev.streamconnect.cluster;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds the names that a mistyped one was probably meant to be. */
public final class NearNames {

    private static final int MOST = 3;

    private NearNames() {}

    /** Those of the known names that are near, best first, three at most; never null. */
    public static List<String> of(String name, Collection<String> known) {
        String text = plain(name);
        int allowed = Math.max(1, Math.min(3, text.length() / 3));
        if (text.isEmpty() || text.length() > 100) {
            return List.of();
        }
        return known.stream()
                .filter(k -> distance(text, plain(k)) <= allowed)
                .sorted(Comparator.comparingInt(k -> distance(text, plain(k))))
                .limit(MOST)
                .toList();
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    /** Edits from one to the other; two neighbours the wrong way round are one edit. */
    private static int distance(String a, String b) {
        int[] beforePrevious = new int[b.length() + 1];
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                current[j] =
                        Math.min(
                                Math.min(current[j - 1], previous[j]) + 1,
                                previous[j - 1] + change);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
                }
            }
            beforePrevious = previous;
            previous = current;
        }
        return previous[b.length()];
    }
}
