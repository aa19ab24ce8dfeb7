package dev.streamconnect.benchmark;

import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Progress for who waits. */
final class Console {

    private Console() {}

    static void line(String format, Object... arguments) {
        System.out.println(
                LocalTime.now().truncatedTo(ChronoUnit.SECONDS)
                        + " "
                        + String.format(Locale.ROOT, format, arguments));
    }

    static void text(String text) {
        System.out.println(text);
    }
}
