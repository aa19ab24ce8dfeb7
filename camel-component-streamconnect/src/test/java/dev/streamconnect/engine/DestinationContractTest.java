package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.ClientRole;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DestinationContractTest {

    private static final long NOW = 1_700_000_000_000L;
    private static final long HOUR = 3_600_000L;

    private static DestinationContract topic(String... settings) {
        Map<String, String> config = new java.util.HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            config.put(settings[i], settings[i + 1]);
        }
        return DestinationContract.of(config, Fixtures.sizeLimit(2_097_152));
    }

    @Test
    @Tag("case-F19")
    @DisplayName("the smaller of our own limit and the topic's decides, to the byte")
    void size() {
        DestinationContract own = topic("max.message.bytes", "5000000");
        assertThat(own.refuses(true, 2_000_000, NOW, NOW)).isEmpty();
        assertThat(own.refuses(true, 2_097_152, NOW, NOW)).isEmpty();
        assertThat(own.refuses(true, 2_097_153, NOW, NOW)).get().asString().contains("2097153");
        assertThat(own.refuses(true, 5 * 1024 * 1024, NOW, NOW)).isPresent();
        DestinationContract topics = topic("max.message.bytes", "1048588");
        assertThat(topics.refuses(true, 1_048_588, NOW, NOW)).isEmpty();
        assertThat(topics.refuses(true, 1_048_589, NOW, NOW)).isPresent();
    }

    @Test
    @Tag("case-F19")
    @DisplayName("the reason of a size refusal names what sets the limit")
    void whatSetsTheLimit() {
        SizeLimit hermes = SizeLimit.own(100, ClientRole.HERMES_PRODUCER);
        SizeLimit customer = SizeLimit.own(100, ClientRole.CUSTOMER);
        assertThat(reason(DestinationContract.unread(hermes)))
                .isEqualTo(
                        "message of 101 bytes is over the limit of 100 bytes of the option maxMessageBytes of hermes");
        assertThat(reason(DestinationContract.of(Map.of("max.message.bytes", "100"), hermes)))
                .contains("maxMessageBytes");
        assertThat(reason(DestinationContract.of(Map.of("max.message.bytes", "99"), hermes)))
                .isEqualTo(
                        "message of 101 bytes is over the limit of 99 bytes of the destination topic's max.message.bytes");
        assertThat(reason(DestinationContract.unread(customer)))
                .endsWith("100 bytes of the connection's property max.request.size");
    }

    private static String reason(DestinationContract contract) {
        return contract.refuses(true, 101, NOW, NOW).orElseThrow().text();
    }

    @Test
    @DisplayName("a compacted topic wants a key, an empty one will do")
    void compaction() {
        assertThat(topic("cleanup.policy", "compact").refuses(false, 1, NOW, NOW))
                .get()
                .asString()
                .contains("without a key");
        assertThat(topic("cleanup.policy", "compact").refuses(true, 1, NOW, NOW)).isEmpty();
        assertThat(topic("cleanup.policy", "compact,delete").refuses(false, 1, NOW, NOW))
                .isPresent();
        assertThat(topic("cleanup.policy", "delete").refuses(false, 1, NOW, NOW)).isEmpty();
    }

    @Test
    @Tag("case-F11")
    @DisplayName("older than the retention by its timestamp would be deleted at once")
    void retention() {
        String h36 = Long.toString(36 * HOUR);
        DestinationContract hermes = topic("cleanup.policy", "delete", "retention.ms", h36);
        assertThat(hermes.refuses(true, 1, NOW - 36 * HOUR, NOW)).isEmpty();
        assertThat(hermes.refuses(true, 1, NOW - 36 * HOUR - 1, NOW))
                .get()
                .asString()
                .contains("retention");
        assertThat(hermes.refuses(true, 1, -1, NOW)).as("time of sending").isEmpty();
        assertThat(
                        topic("cleanup.policy", "delete", "retention.ms", "-1")
                                .refuses(true, 1, 1_000_000_000_000L, NOW))
                .isEmpty();
        assertThat(
                        topic("cleanup.policy", "compact", "retention.ms", h36)
                                .refuses(true, 1, NOW - 40 * HOUR, NOW))
                .as("nothing is deleted by age")
                .isEmpty();
        assertThat(
                        topic(
                                        "cleanup.policy",
                                        "delete",
                                        "retention.ms",
                                        h36,
                                        "message.timestamp.type",
                                        "LogAppendTime")
                                .refuses(true, 1, 0, NOW))
                .as("the broker sets the time")
                .isEmpty();
    }

    @Test
    @Tag("case-F14")
    @DisplayName("timestamps outside the topic's window are refused before they are sent")
    void window() {
        DestinationContract hour =
                topic(
                        "message.timestamp.before.max.ms",
                        Long.toString(HOUR),
                        "message.timestamp.after.max.ms",
                        Long.toString(HOUR));
        assertThat(hour.refuses(true, 1, NOW - HOUR, NOW)).isEmpty();
        assertThat(hour.refuses(true, 1, NOW - HOUR - 1, NOW)).get().asString().contains("past");
        assertThat(hour.refuses(true, 1, NOW + HOUR, NOW)).isEmpty();
        assertThat(hour.refuses(true, 1, NOW + HOUR + 1, NOW)).get().asString().contains("future");
        assertThat(hour.refuses(true, 1, NOW * 1_000, NOW)).as("microseconds").isPresent();
        assertThat(topic().refuses(true, 1, Long.MAX_VALUE, NOW)).isEmpty();
    }

    @Test
    @DisplayName("where the settings can't be read only our own size rule is known")
    void unread() {
        DestinationContract unread = DestinationContract.unread(Fixtures.sizeLimit(100));
        assertThat(unread.readable()).isFalse();
        assertThat(unread.refuses(false, 100, 0, NOW)).isEmpty();
        assertThat(unread.refuses(false, 101, 0, NOW)).isPresent();
    }
}
