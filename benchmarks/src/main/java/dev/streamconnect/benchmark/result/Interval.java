package dev.streamconnect.benchmark.result;

/**
 * A median and where it lies with 95 %.
 *
 * @param median the middle of the sample; NaN of none
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param size how many values there were
 */
public record Interval(double median, double low, double high, int size) {

    /** For a table: {@code 0.97 (0.93–1.02)}, without an interval where there is one value. */
    public String format(int decimals) {
        if (size == 0) {
            return "";
        }
        String middle = Numbers.format(median, decimals);
        return size == 1
                ? middle
                : middle
                        + " ("
                        + Numbers.format(low, decimals)
                        + "–"
                        + Numbers.format(high, decimals)
                        + ")";
    }
}
