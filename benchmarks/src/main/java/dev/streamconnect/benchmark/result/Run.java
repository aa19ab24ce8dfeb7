package dev.streamconnect.benchmark.result;

import java.util.Map;

/**
 * One contender, measured once.
 *
 * @param contender its name
 * @param repetition runs of the same number were made one after another, and are compared
 * @param figures what was measured; what is missing could not be
 * @param kept what of a record arrived as it was sent, for example {@code key, value, timestamp}
 */
public record Run(String contender, int repetition, Map<Figure, Double> figures, String kept) {

    public Run {
        figures = Map.copyOf(figures);
    }

    /** The value, or NaN. */
    public double figure(Figure figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }
}
