package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Another process in the group of a source")
class OtherMembersTest {

    private static final LinkOptions OPTIONS = Fixtures.options(true, 1, 10);

    private final MovedClock clock = new MovedClock();
    private final FakeProbe cluster = new FakeProbe();
    private final OtherMembers members = new OtherMembers(PLANT, "me", clock, cluster);
    private final MemoryStore store = new MemoryStore();

    private String noticeAfter(Duration time, KafkaLink link) {
        List<SourceTopic> topics = List.of(new SourceTopic("orders", link));
        for (Duration left = time; !left.isNegative(); left = left.minusSeconds(1)) {
            members.look(topics);
            clock.move(Duration.ofSeconds(1));
        }
        return link.monitor().snapshot().notice();
    }

    @Test
    @DisplayName("is told where the undelivered messages are in a file, until it is gone")
    void file() throws Exception {
        store.shared = false;
        HandDrivenLink link = HandDrivenLink.with(OPTIONS, clock, store, true, 1);
        cluster.others = Map.of("member-1", "node-b on /10.0.0.7");

        assertThat(noticeAfter(Duration.ofSeconds(59), link)).as("maybe it was killed").isEmpty();
        assertThat(noticeAfter(Duration.ofSeconds(2), link))
                .contains("another member (node-b on /10.0.0.7)")
                .contains("in a file of this node alone", "undeliveredUrl")
                .satisfies(
                        notice ->
                                assertThat(Files.readString(Path.of("../docs/nodes.md")))
                                        .contains(notice.substring(notice.indexOf(", and "))));
        assertThat(cluster.membersAsked).as("once a minute").hasValue(2);
        cluster.others = null;
        assertThat(noticeAfter(Duration.ofMinutes(2), link)).as("not known now").isNotEmpty();
        cluster.others = Map.of();
        assertThat(noticeAfter(Duration.ofMinutes(1), link)).isEmpty();
    }

    @Test
    @DisplayName("is told where there is no store, too, in other words")
    void noStore() {
        HandDrivenLink link = HandDrivenLink.with(OPTIONS, clock);
        cluster.others = Map.of("member-1", "node-b on /10.0.0.7");

        assertThat(noticeAfter(Duration.ofMinutes(2), link)).contains("no undelivered store");
    }

    @Test
    @DisplayName("is not told, and not looked for, where a database is shared")
    void shared() {
        HandDrivenLink link = HandDrivenLink.with(OPTIONS, clock, store, true, 1);
        cluster.others = Map.of("member-1", "node-b on /10.0.0.7");

        assertThat(noticeAfter(Duration.ofMinutes(3), link)).isEmpty();
        assertThat(cluster.membersAsked).hasValue(0);
    }

    @Test
    @DisplayName("is not the one that was killed before this one started")
    void restarted() {
        HandDrivenLink link = HandDrivenLink.with(OPTIONS, clock);
        cluster.others = Map.of("member-1", "node-a on /10.0.0.6");
        noticeAfter(Duration.ofSeconds(40), link);
        cluster.others = Map.of("member-2", "node-b on /10.0.0.7");

        assertThat(noticeAfter(Duration.ofSeconds(40), link)).isEmpty();
        assertThat(noticeAfter(Duration.ofSeconds(60), link)).contains("node-b");
    }
}
