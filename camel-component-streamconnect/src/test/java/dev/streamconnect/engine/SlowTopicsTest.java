package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("case-R8")
class SlowTopicsTest {

    private final MovedClock clock = new MovedClock();
    private final SlowTopics topics = new SlowTopics();
    private final Map<String, AckTime> window = new HashMap<>();

    /** Chunks of a mean in milliseconds. */
    private void takes(String topic, int chunks, long millis) {
        window.put(topic, new AckTime(chunks, chunks * millis, 0));
    }

    private void look(int windows) {
        for (int i = 0; i < windows; i++) {
            topics.look(clock.instant(), () -> Map.copyOf(window));
            clock.move(Duration.ofSeconds(5));
        }
    }

    @Test
    @DisplayName("slow is what takes four times as long as its neighbours, three windows in a row")
    void slow() {
        takes("slow", 10, 400);
        takes("fast", 500, 20);
        takes("idle", 0, 0);
        look(2);
        assertThat(topics.isSlow("slow")).isFalse();
        look(1);
        assertThat(topics.isSlow("slow")).isTrue();
        assertThat(topics.isSlow("fast")).isFalse();
        assertThat(topics.isSlow("idle")).isFalse();
        assertThat(topics.millis("slow")).isEqualTo(400);
        assertThat(topics.neighbours("slow")).isEqualTo(20);
    }

    @Test
    @DisplayName("one window among its neighbours' begins anew, a window without traffic does not")
    void row() {
        takes("slow", 10, 400);
        takes("fast", 500, 20);
        look(2);
        takes("slow", 10, 30);
        look(1);
        takes("slow", 10, 400);
        look(2);
        assertThat(topics.isSlow("slow")).isFalse();
        takes("slow", 0, 0);
        look(5);
        assertThat(topics.isSlow("slow")).isFalse();
        takes("slow", 10, 400);
        look(1);
        assertThat(topics.isSlow("slow")).isTrue();
        takes("slow", 10, 30);
        look(1);
        assertThat(topics.isSlow("slow")).isFalse();
    }

    @Test
    @DisplayName("a long way, a quota or an outage is of all, and makes none of them slow")
    void all() {
        takes("a", 10, 2_000);
        takes("b", 10, 2_500);
        takes("c", 10, 3_000);
        look(10);
        assertThat(window.keySet()).noneMatch(topics::isSlow);
        window.replaceAll((topic, time) -> new AckTime(0, 0, 60_000));
        look(10);
        assertThat(window.keySet()).noneMatch(topics::isSlow);
    }

    @Test
    @DisplayName("what takes next to nothing is not slow, though its neighbours take less")
    void floor() {
        takes("slow", 10, 90);
        takes("fast", 10, 1);
        look(10);
        assertThat(topics.isSlow("slow")).isFalse();
    }

    @Test
    @DisplayName("a chunk without an answer counts by its age, while the neighbours get theirs")
    void silent() {
        window.put("silent", new AckTime(0, 0, 5_000));
        takes("fast", 10, 20);
        look(3);
        assertThat(topics.isSlow("silent")).isTrue();
        assertThat(topics.isSlow("fast")).isFalse();
    }

    @Test
    @DisplayName("one alone has nobody to be compared with")
    void alone() {
        takes("slow", 10, 60_000);
        look(10);
        assertThat(topics.isSlow("slow")).isFalse();
        assertThat(topics.neighbours("slow")).isNaN();
    }

    @Test
    @DisplayName("several slow ones are measured by the fast ones")
    void several() {
        for (int i = 0; i < 6; i++) {
            takes("slow-" + i, 10, 1_000);
        }
        takes("fast-1", 10, 20);
        takes("fast-2", 10, 30);
        look(3);
        assertThat(window.keySet()).filteredOn(topics::isSlow).hasSize(6);
        assertThat(topics.isSlow("fast-2")).isFalse();
    }

    @Test
    @DisplayName("a topic that is closed meanwhile begins anew")
    void closed() {
        takes("gone", 10, 400);
        takes("fast", 10, 20);
        look(2);
        window.remove("gone");
        look(1);
        takes("gone", 10, 400);
        look(2);
        assertThat(topics.isSlow("gone")).isFalse();
    }

    @Test
    @DisplayName("well again is less than the double of its neighbours, or hardly more")
    void shortAgain() {
        assertThat(SlowTopics.isShort(390, 200)).isTrue();
        assertThat(SlowTopics.isShort(410, 200)).isFalse();
        assertThat(SlowTopics.isShort(49, 1)).isTrue();
        assertThat(SlowTopics.isShort(60, 1)).isFalse();
    }
}
