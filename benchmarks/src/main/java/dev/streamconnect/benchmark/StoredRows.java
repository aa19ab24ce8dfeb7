package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Broker;
import dev.streamconnect.benchmark.contender.ContenderSettings;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.Reason;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Fills the undelivered store of a contender before it starts. */
final class StoredRows {

    private static final int AT_ONCE = 5_000;
    private static final byte[] VALUE = new byte[512];

    /** None is due while it is measured. */
    private static final Duration DUE = Duration.ofDays(1);

    private StoredRows() {}

    static void write(
            StoredAtStart wanted, int partitions, ContenderSettings settings, Broker source)
            throws Exception {
        Console.line("  storing %,d messages", wanted.rows());
        String sourceTopic = settings.sourceTopics().get(0);
        TopicPair topics = new TopicPair(sourceTopic, settings.destinationTopics().get(0));
        String topicId =
                source.admin()
                        .describeTopics(List.of(sourceTopic))
                        .allTopicNames()
                        .get()
                        .get(sourceTopic)
                        .topicId()
                        .toString();
        Instant now = Instant.now();
        Path file = Path.of(settings.options().get(StoredAtStart.FILE_OPTION));
        try (UndeliveredDatabase database = UndeliveredDatabase.embedded(file);
                UndeliveredStore store =
                        database.undeliveredStore(
                                new StoreLimits(Long.MAX_VALUE, Long.MAX_VALUE))) {
            List<UndeliveredMessage> messages = new ArrayList<>(AT_ONCE);
            for (int i = 0; i < wanted.rows(); i++) {
                byte[] key = wanted.keys() ? ("held-" + i).getBytes(StandardCharsets.UTF_8) : null;
                messages.add(message(topics, topicId, i % partitions, i / partitions, key, now));
                if (messages.size() == AT_ONCE || i == wanted.rows() - 1) {
                    store.store(messages);
                    messages.clear();
                }
            }
        }
    }

    private static UndeliveredMessage message(
            TopicPair topics, String topicId, int partition, long offset, byte[] key, Instant now) {
        return new UndeliveredMessage(
                new MessageOrigin(ContenderSettings.id(0), "", partition),
                Stage.DESTINATION,
                topicId,
                0,
                offset,
                0,
                topics,
                UndeliveredMessage.SOURCE_PARTITION,
                key,
                VALUE,
                List.of(),
                now.toEpochMilli(),
                Reason.SIZE,
                "",
                "stored by the benchmark",
                1,
                now,
                now.plus(DUE));
    }
}
