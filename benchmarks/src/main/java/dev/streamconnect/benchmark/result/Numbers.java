package dev.streamconnect.benchmark.result;

import java.util.Locale;

/** Numbers as they are written for people, the same on every machine. */
final class Numbers {

    private Numbers() {}

    static String format(double value, int decimals) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
