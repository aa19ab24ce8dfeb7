package dev.streamconnect.sandbox;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Limits of partitions")
class PartitionLimitsTest {

    private final PartitionLimits limits = new PartitionLimits(32, 960);

    @Test
    @Tag("case-H18")
    @DisplayName("H18: 33 partitions are refused, 31 topics are not, nor any number before 960")
    void limits() {
        assertThatThrownBy(() -> limits.check("t", 33, 0))
                .hasMessage(
                        "t: 33 partitions are over the limit of 32 of a topic (--max-topic-partitions)");
        assertThatCode(() -> IntStream.range(0, 31).forEach(topics -> limits.check("t", 1, topics)))
                .doesNotThrowAnyException();
        assertThatCode(() -> limits.check("t", 32, 928)).doesNotThrowAnyException();
        assertThatThrownBy(() -> limits.check("t", 32, 929))
                .hasMessageContainingAll("929 of other topics", "limit of 960");
    }
}
