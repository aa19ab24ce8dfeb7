package dev.streamconnect.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** One side's log with one partition, read by a flow that the test moves. */
final class SideLog {

    private final String side;
    private final TopicPartition partition = new TopicPartition("snc.acme.orders", 0);
    private final List<ConsumerRecord<byte[], byte[]>> log = new ArrayList<>();
    private final PartitionFlow flow;
    private int polled;

    SideLog(HandDrivenLink link, String side) {
        this.side = side;
        this.flow = new PartitionFlow(link, partition, side, 1, () -> {});
        link.add(flow);
        flow.startAt(0);
    }

    PartitionFlow flow() {
        return flow;
    }

    String side() {
        return side;
    }

    /** Appends a message with that timestamp; its value is the number. */
    void append(String key, int number, long timestamp) {
        byte[] value = Fixtures.bytes(String.valueOf(number));
        byte[] keyBytes = Fixtures.bytes(key);
        log.add(
                new ConsumerRecord<>(
                        partition.topic(),
                        partition.partition(),
                        log.size(),
                        timestamp,
                        TimestampType.CREATE_TIME,
                        keyBytes == null ? -1 : keyBytes.length,
                        value.length,
                        keyBytes,
                        value,
                        new RecordHeaders(),
                        Optional.empty()));
    }

    /** Messages from the first number to the last one, a second apart. */
    void append(String key, int first, int last) {
        for (int number = first; number <= last; number++) {
            append(key, number, number * 1_000L);
        }
    }

    int unread() {
        return log.size() - polled;
    }

    /** The client reads so many more. */
    void poll(int most) {
        int end = Math.min(log.size(), polled + most);
        if (end > polled && !flow.wantsPause()) {
            flow.offer(flow.withoutRepeats(log.subList(polled, end)));
            polled = end;
        }
    }

    /** As a client that looks at its position now and then. */
    void observe() {
        flow.idleAt(polled);
    }

    Map<Integer, Long> ends() {
        return Map.of(0, (long) log.size());
    }
}
