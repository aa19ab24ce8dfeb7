package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.metrics.Backlog;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SourceBacklogTest {

    private static final long HOUR = 3_600_000;

    private final Instant now = MovedClock.START;
    private final SourceBacklog backlog = new SourceBacklog();

    private long ago(long millis) {
        return now.toEpochMilli() - millis;
    }

    @Test
    @DisplayName("nothing is known before the first look")
    void unknown() {
        assertThat(backlog.at(now)).isEqualTo(Backlog.UNKNOWN);
        assertThat(backlog.messages()).isEqualTo(-1);
    }

    @Test
    @Tag("case-R5")
    @DisplayName("lag is the sum of the partitions and never negative")
    void lag() {
        backlog.seen("0", 3, ago(10), null);
        backlog.seen("1", -5, SourceBacklog.NO_TIMESTAMP, null);
        assertThat(backlog.messages()).isEqualTo(3);
        backlog.seen("0", 0, SourceBacklog.NO_TIMESTAMP, null);
        assertThat(backlog.at(now)).isEqualTo(new Backlog(0L, 0L, null));
        backlog.forget("0");
        backlog.forget("1");
        assertThat(backlog.at(now)).isEqualTo(Backlog.UNKNOWN);
    }

    @Test
    @DisplayName("the oldest message of all partitions, and the one that the source deletes first")
    void oldest() {
        backlog.seen("A 0", 1, ago(2 * HOUR), 36 * HOUR);
        backlog.seen("A 1", 9, ago(HOUR), 36 * HOUR);
        backlog.seen("B 0", 1, ago(HOUR / 2), HOUR);
        backlog.seen("B 1", 0, SourceBacklog.NO_TIMESTAMP, HOUR);
        assertThat(backlog.at(now)).isEqualTo(new Backlog(11L, 2 * HOUR, 0.5));
        assertThat(backlog.at(now.plus(Duration.ofHours(3))).hoursToLoss()).isZero();
    }

    @Test
    @DisplayName("a source that keeps for ever loses nothing")
    void forEver() {
        backlog.seen("0", 1, ago(HOUR), null);
        assertThat(backlog.at(now)).isEqualTo(new Backlog(1L, HOUR, null));
    }

    @Test
    @DisplayName("messages that were not read yet may be the oldest: unknown")
    void notRead() {
        backlog.seen("0", 1, ago(HOUR), HOUR);
        backlog.seen("1", 7, SourceBacklog.NO_TIMESTAMP, HOUR);
        assertThat(backlog.at(now)).isEqualTo(new Backlog(8L, null, null));
    }

    @Test
    @DisplayName("a timestamp of the future is no age")
    void future() {
        backlog.seen("0", 1, ago(-HOUR), 2 * HOUR);
        assertThat(backlog.at(now)).isEqualTo(new Backlog(1L, 0L, 2.0));
    }

    @Test
    @DisplayName("retention is that of a topic that deletes by time")
    void retention() {
        SourceTopic topic = new SourceTopic("orders", null);
        assertThat(topic.areSettingsDue(now)).isTrue();
        topic.settings(Map.of("cleanup.policy", "delete", "retention.ms", "1000"), now);
        assertThat(topic.retentionMillis()).isEqualTo(1_000);
        assertThat(topic.areSettingsDue(now.plusSeconds(599))).isFalse();
        assertThat(topic.areSettingsDue(now.plusSeconds(600))).isTrue();
        topic.settings(Map.of("cleanup.policy", "compact,delete", "retention.ms", "2000"), now);
        assertThat(topic.retentionMillis()).isEqualTo(2_000);
        topic.settings(Map.of("cleanup.policy", "compact", "retention.ms", "1000"), now);
        assertThat(topic.retentionMillis()).isNull();
        topic.settings(Map.of("cleanup.policy", "delete", "retention.ms", "-1"), now);
        assertThat(topic.retentionMillis()).isNull();
        topic.settings(null, now);
        assertThat(topic.retentionMillis()).isNull();
    }
}
