package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Where a partition was read last")
class SourceTopicTest {

    private final SourceTopic topic = new SourceTopic("orders", null);

    @Test
    @DisplayName("is remembered with the topic that it was")
    void remembered() {
        PositionMark first = new PositionMark("id-1", "", 2);
        topic.lastRead(0, first, 17);
        assertThat(topic.lastRead(0)).isEqualTo(new SourceTopic.LastRead(first, 17));
        assertThat(topic.lastRead(1).position()).isEqualTo(-1);
    }

    @Test
    @DisplayName("is not remembered without an id: in a topic made anew it would skip messages")
    void withoutId() {
        topic.lastRead(0, PositionMark.UNKNOWN, 17);
        assertThat(topic.lastRead(0).position()).isEqualTo(-1);
    }
}
