package dev.streamconnect.benchmark.result;

import java.util.Arrays;
import java.util.Random;

/** Statistics of small samples. Values that are NaN do not count. */
public final class Statistics {

    private static final int RESAMPLES = 10_000;

    /** The same sample has the same interval at every run. */
    private static final long SEED = 20_261_201;

    private Statistics() {}

    /** The middle value, or the mean of the two in the middle; NaN of none. */
    public static double median(double... values) {
        double[] sorted = sorted(values);
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /**
     * The 95 % interval of the median, by the percentile bootstrap: of many samples of the same
     * size, drawn with replacement, the medians from 2.5 % to 97.5 %.
     *
     * <p>Of five values it is at most their range; it tells how far the runs lie apart.
     */
    public static Interval medianWithInterval(double... values) {
        double[] sample = sorted(values);
        if (sample.length == 0) {
            return new Interval(Double.NaN, Double.NaN, Double.NaN, 0);
        }
        Random random = new Random(SEED);
        double[] medians = new double[RESAMPLES];
        double[] drawn = new double[sample.length];
        for (int i = 0; i < RESAMPLES; i++) {
            for (int j = 0; j < drawn.length; j++) {
                drawn[j] = sample[random.nextInt(sample.length)];
            }
            medians[i] = median(drawn);
        }
        Arrays.sort(medians);
        return new Interval(
                median(sample),
                medians[(int) Math.floor(0.025 * (RESAMPLES - 1))],
                medians[(int) Math.ceil(0.975 * (RESAMPLES - 1))],
                sample.length);
    }

    private static double[] sorted(double[] values) {
        return Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
    }
}
