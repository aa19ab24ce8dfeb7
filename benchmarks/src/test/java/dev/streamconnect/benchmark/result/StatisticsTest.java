package dev.streamconnect.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Statistics of small samples")
class StatisticsTest {

    @Test
    @DisplayName("the median is the middle, or the mean of the two in the middle")
    void median() {
        assertThat(Statistics.median(3, 1, 2)).isEqualTo(2);
        assertThat(Statistics.median(4, 1, 2, 10)).isEqualTo(3);
        assertThat(Statistics.median(7)).isEqualTo(7);
    }

    @Test
    @DisplayName("what is missing does not count, and of nothing there is no median")
    void missing() {
        assertThat(Statistics.median(Double.NaN, 5, Double.NaN)).isEqualTo(5);
        assertThat(Statistics.median()).isNaN();
        assertThat(Statistics.medianWithInterval(Double.NaN).size()).isZero();
    }

    @Test
    @DisplayName("the interval of equal values is that value")
    void equalValues() {
        assertThat(Statistics.medianWithInterval(2, 2, 2, 2, 2))
                .isEqualTo(new Interval(2, 2, 2, 5));
    }

    @Test
    @DisplayName("the interval of five values is their range: 2.5 % of the medians are an end")
    void fiveValues() {
        // A median is the smallest one if 3 or more of 5 draws are: 5.8 %.
        assertThat(Statistics.medianWithInterval(0.9, 0.8, 1.0, 1.1, 1.2))
                .isEqualTo(new Interval(1.0, 0.8, 1.2, 5));
    }

    @Test
    @DisplayName("an odd value among many does not move the interval")
    void oddValue() {
        double[] values = new double[41];
        for (int i = 0; i < 40; i++) {
            values[i] = 1 + i / 1000.0;
        }
        values[40] = 100;
        Interval interval = Statistics.medianWithInterval(values);
        assertThat(interval.median()).isCloseTo(1.02, within(1e-9));
        assertThat(interval.low()).isBetween(1.0, 1.02);
        assertThat(interval.high()).isBetween(1.02, 1.04);
    }

    @Test
    @DisplayName("the same sample has the same interval, in any order")
    void repeatable() {
        assertThat(Statistics.medianWithInterval(5, 1, 4, 2, 3, 9, 7))
                .isEqualTo(Statistics.medianWithInterval(9, 7, 5, 4, 3, 2, 1));
    }
}
