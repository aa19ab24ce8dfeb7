package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.engine.PositionEvent;
import dev.streamconnect.engine.PositionEvent.Kind;
import dev.streamconnect.engine.ReplayedPartition;
import dev.streamconnect.it.ReadBack.Stored;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("No silent skip:")
class GapIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Sandbox sandbox = Sandbox.shared();

    @TempDir Path folder;

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(String::valueOf).toList();
    }

    private List<String> delivered(String topic) {
        return sandbox.readBack().all(Side.A, sandbox.topicName(topic)).stream()
                .map(Stored::text)
                .toList();
    }

    private void awaitDelivered(String topic, List<String> texts) {
        Awaitility.await("delivered of " + topic)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(delivered(topic)).isEqualTo(texts));
    }

    private static void operate(Replicator replicator, String id, String operation) {
        replicator
                .main()
                .getCamelContext()
                .createProducerTemplate()
                .requestBody("replication:" + id + "?operation=" + operation, null, Object.class);
    }

    private static List<PositionEvent> events(Replicator replicator, String id, Kind kind) {
        return replicator.status(id).events().stream().filter(e -> e.kind() == kind).toList();
    }

    private static void awaitEvent(Replicator replicator, String id, Kind kind) {
        Awaitility.await(kind + " of " + id)
                .atMost(LIMIT)
                .until(() -> !events(replicator, id, kind).isEmpty());
    }

    /** The group's position, as a replicator of before left it. */
    private void position(String group, String topic, long offset, String metadata) {
        sandbox.topics()
                .admin(
                        Side.LOCAL,
                        admin ->
                                admin.alterConsumerGroupOffsets(
                                                group,
                                                Map.of(
                                                        new TopicPartition(topic, 0),
                                                        new OffsetAndMetadata(offset, metadata)))
                                        .all());
    }

    private void topics(String topic, int partitions) {
        sandbox.topics().create(Side.LOCAL, topic, partitions, Map.of());
        sandbox.topics().create(sandbox.topicName(topic), partitions);
    }

    @Test
    @Tag("case-H5")
    @Tag("case-O1")
    @DisplayName("what retention removed while we were down, and while we were paused, is told")
    void gaps() throws Exception {
        String topic = "gap";
        topics(topic, 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicate(topic);
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic);
                CapturedLog log = CapturedLog.start()) {
            records.series(0, 0, 100);
            position(settings.groupId(), topic, 20, "");
            sandbox.topics().deleteRecords(Side.LOCAL, topic, 0, 60);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                awaitDelivered(topic, numbers(60, 100));
                LinkStatus status = replicator.status(topic);
                assertThat(status.state()).isEqualTo(LinkState.DEGRADED);
                assertThat(status.reason()).contains("40 message(s) of gap-0, offsets 20 to 59");
                assertThat(status.events())
                        .extracting(
                                PositionEvent::kind,
                                PositionEvent::partition,
                                PositionEvent::from,
                                PositionEvent::to,
                                PositionEvent::count)
                        .containsExactly(tuple(Kind.GAP, 0, 20L, 60L, 40L));
                group.awaitCommitted(topic, 100);

                operate(replicator, topic, "pause");
                Awaitility.await("paused")
                        .atMost(LIMIT)
                        .until(() -> replicator.status(topic).state() == LinkState.PAUSED);
                records.series(0, 100, 50);
                sandbox.topics().deleteRecords(Side.LOCAL, topic, 0, 130);
                operate(replicator, topic, "resume");
                // What was fetched before it was removed is delivered, and is no gap.
                Awaitility.await("the end")
                        .atMost(LIMIT)
                        .until(() -> delivered(topic).contains("149"));
                List<PositionEvent> gaps = events(replicator, topic, Kind.GAP);
                List<String> all = new ArrayList<>(numbers(60, 150));
                gaps.stream()
                        .skip(1)
                        .forEach(gap -> all.removeAll(numbers((int) gap.from(), (int) gap.to())));
                assertThat(delivered(topic)).isEqualTo(all);
                group.awaitCommitted(topic, 150);
                String lines = log.ourWarnings().toString();
                for (PositionEvent gap : gaps) {
                    assertThat(lines).containsOnlyOnce(gap.text());
                }
            }
        }
    }

    @Test
    @Tag("case-H5")
    @DisplayName("with onGap=fail it stops before the gap, and a replay takes it up")
    void gapFails() throws Exception {
        String topic = "gap-fails";
        topics(topic, 1);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic).replicate(topic, "onGap: fail");
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, 100);
            position(settings.groupId(), topic, 20, "");
            sandbox.topics().deleteRecords(Side.LOCAL, topic, 0, 60);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                replicator.awaitState(topic, LinkState.FAILED, LIMIT);
                assertThat(replicator.status(topic).reason())
                        .contains("offsets 20 to 59", "operation=replay", "onGap=continue");
                records.series(0, 100, 10);
            }
            assertThat(delivered(topic)).isEmpty();
            assertThat(group.committedTotal(topic)).isEqualTo(20);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                replicator.awaitState(topic, LinkState.FAILED, LIMIT);
                awaitLag(replicator, topic, 50);
                List<?> moved =
                        replicator
                                .main()
                                .getCamelContext()
                                .createProducerTemplate()
                                .requestBody(
                                        "replication:"
                                                + topic
                                                + "?operation=replay&replayFrom=earliest&partition=0",
                                        null,
                                        List.class);
                assertThat(moved)
                        .isEqualTo(
                                List.of(
                                        new ReplayedPartition(
                                                null,
                                                0,
                                                ReplayedPartition.Outcome.MOVED,
                                                20,
                                                60,
                                                "")));
                awaitDelivered(topic, numbers(60, 110));
                group.awaitCommitted(topic, 110);
                replicator.awaitState(topic, LinkState.RUNNING, LIMIT);
            }
        }
    }

    /** Numbers as texts, into partition 0 of a side of Hermes. */
    private void send(Side side, String topic, int from, int to) {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", sandbox.internalBootstrap(side)),
                        new StringSerializer(),
                        new StringSerializer())) {
            numbers(from, to)
                    .forEach(n -> producer.send(new ProducerRecord<>(topic, 0, "k" + n, n)));
        }
    }

    private void position(Side side, String group, String topic, long offset) {
        sandbox.topics()
                .admin(
                        side,
                        admin ->
                                admin.alterConsumerGroupOffsets(
                                                group,
                                                Map.of(
                                                        new TopicPartition(topic, 0),
                                                        new OffsetAndMetadata(offset)))
                                        .all());
    }

    @Test
    @Tag("case-H5")
    @Tag("case-O1")
    @DisplayName(
            "from ServiceNow: a gap on side A, a position beyond the end of B, and B made anew while"
                    + " it is read; each is told with its side, and the rest arrives")
    void onTheSides() throws Exception {
        String topic = "side-gap";
        String hermes = sandbox.topicName(topic);
        topics(topic, 1);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, topic).replicateFrom(topic);
        String group = "snc." + sandbox.instance() + "." + topic;
        send(Side.A, hermes, 0, 100);
        position(Side.A, group, hermes, 20);
        sandbox.topics().deleteRecords(Side.A, hermes, 0, 60);
        send(Side.B, hermes, 1_000, 1_030);
        position(Side.B, group, hermes, 500);
        try (Replicator replicator = Replicator.start(settings, folder)) {
            replicator.awaitMessages(topic, 70, LIMIT);
            assertThat(replicator.status(topic).state()).isEqualTo(LinkState.DEGRADED);
            assertThat(replicator.status(topic).events())
                    .extracting(
                            PositionEvent::kind,
                            PositionEvent::side,
                            PositionEvent::from,
                            PositionEvent::to)
                    .containsExactlyInAnyOrder(
                            tuple(Kind.GAP, "A", 20L, 60L), tuple(Kind.BEYOND_END, "B", 500L, 0L));
            new Group(sandbox, Side.B, group).awaitCommitted(hermes, 30);
            sandbox.topics().delete(Side.B, hermes);
            sandbox.topics().create(Side.B, hermes, 1, Map.of());
            send(Side.B, hermes, 2_000, 2_050);
            awaitEvent(replicator, topic, Kind.RECREATED);
            replicator.awaitMessages(topic, 120, LIMIT);
            assertThat(events(replicator, topic, Kind.RECREATED))
                    .extracting(PositionEvent::side)
                    .containsExactly("B");
        }
        List<String> arrived =
                sandbox.readBack().all(Side.LOCAL, topic).stream().map(Stored::text).toList();
        List<String> wanted = new ArrayList<>(numbers(60, 100));
        wanted.addAll(numbers(1_000, 1_030));
        wanted.addAll(numbers(2_000, 2_050));
        assertThat(Set.copyOf(arrived)).containsExactlyInAnyOrderElementsOf(wanted);
    }

    /** Deletes and makes the topic anew with so many messages, n0 to n…. */
    private void recreate(String topic, int count) {
        sandbox.topics().delete(Side.LOCAL, topic);
        sandbox.topics().create(Side.LOCAL, topic, 1, Map.of());
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            for (int i = 0; i < count; i++) {
                records.put(0, "k", "n" + i);
            }
        }
    }

    private static List<String> anew(int count) {
        return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
    }

    @Test
    @DisplayName(
            "a source topic that is made anew while it is read arrives whole, and is told once")
    void recreatedWhileRunning() throws Exception {
        Map<String, Integer> counts = Map.of("anew-fewer", 40, "anew-same", 100, "anew-more", 160);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "anew-running");
        counts.keySet().forEach(topic -> topics(topic, 1));
        // With latest a reader that takes it for a first start would miss all of it.
        counts.keySet().forEach(topic -> settings.replicate(topic, "startFrom: latest"));
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (Replicator replicator = Replicator.start(settings, folder)) {
            readHundred(replicator, group, counts.keySet());
            counts.forEach(this::recreate);
            for (String topic : counts.keySet()) {
                awaitEvent(replicator, topic, Kind.RECREATED);
                Awaitility.await(topic)
                        .atMost(LIMIT)
                        .untilAsserted(
                                () ->
                                        assertThat(delivered(topic))
                                                .endsWith(
                                                        anew(counts.get(topic))
                                                                .toArray(new String[0])));
                group.awaitCommitted(topic, counts.get(topic));
                assertThat(delivered(topic).subList(0, 100)).isEqualTo(numbers(0, 100));
                assertThat(events(replicator, topic, Kind.RECREATED)).hasSize(1);
                assertThat(events(replicator, topic, Kind.BEYOND_END)).isEmpty();
                assertThat(replicator.status(topic).state()).isEqualTo(LinkState.DEGRADED);
                System.out.printf(
                        "%s: %d delivered, %d of them twice%n",
                        topic,
                        delivered(topic).size(),
                        delivered(topic).size() - 100 - counts.get(topic));
            }
        }
    }

    @Test
    @DisplayName(
            "a source topic that was made anew while we were down arrives whole, and is told once")
    void recreatedWhileDown() throws Exception {
        Map<String, Integer> counts =
                Map.of("down-fewer", 40, "down-same", 100, "down-more", 160, "down-forgotten", 70);
        ReplicatorSettings settings = new ReplicatorSettings(sandbox, "anew-down");
        counts.keySet().forEach(topic -> topics(topic, 1));
        counts.keySet()
                .forEach(
                        topic ->
                                settings.replicate(
                                        topic,
                                        topic.equals("down-more")
                                                ? "onRecreated: fail"
                                                : "onRecreated: earliest"));
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (Replicator replicator = Replicator.start(settings, folder)) {
            for (String topic : counts.keySet()) {
                try (LocalRecords records = new LocalRecords(sandbox, topic)) {
                    records.series(0, 0, 100);
                }
                replicator.awaitMessages(topic, 100, LIMIT);
                group.awaitCommitted(topic, 100);
            }
        }
        for (String topic : counts.keySet()) {
            String old = metadata(group, topic);
            recreate(topic, counts.get(topic));
            assertThat(group.committed(topic)).as("the broker forgets it").isEmpty();
            if (!topic.equals("down-forgotten")) {
                // As a commit that came late, or a cluster that keeps it.
                position(group.id(), topic, 100, old);
            }
        }
        try (Replicator replicator = Replicator.start(settings, folder)) {
            replicator.awaitState("down-more", LinkState.FAILED, LIMIT);
            for (String topic : List.of("down-fewer", "down-same", "down-forgotten")) {
                awaitDelivered(topic, both(counts.get(topic)));
                group.awaitCommitted(topic, counts.get(topic));
            }
            assertThat(events(replicator, "down-forgotten", Kind.START)).hasSize(1);
            assertThat(events(replicator, "down-forgotten", Kind.RECREATED)).isEmpty();
            for (String topic : List.of("down-fewer", "down-same", "down-more")) {
                assertThat(events(replicator, topic, Kind.RECREATED))
                        .extracting(PositionEvent::from, PositionEvent::to)
                        .containsExactly(tuple(100L, 0L));
                assertThat(replicator.status(topic).events()).hasSize(1);
            }
            assertThat(replicator.status("down-more").reason()).contains("onRecreated=earliest");
            awaitLag(replicator, "down-more", 160);
            assertThat(delivered("down-more")).isEqualTo(numbers(0, 100));
            assertThat(group.committedTotal("down-more")).isEqualTo(100);
            operate(replicator, "down-more", "replay&replayFrom=earliest&partition=0");
            awaitDelivered("down-more", both(160));
            group.awaitCommitted("down-more", 160);
        }
    }

    /** What waits in a partition that stopped is asked for each ten seconds. */
    private static void awaitLag(Replicator replicator, String topic, long messages) {
        Awaitility.await("lag of " + topic)
                .atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(replicator.status(topic).lag()).isEqualTo(messages));
    }

    /** A first start, then numbers 0 to 99 of each topic. */
    private void readHundred(Replicator replicator, Group group, Set<String> topics) {
        for (String topic : topics) {
            awaitEvent(replicator, topic, Kind.START);
            try (LocalRecords records = new LocalRecords(sandbox, topic)) {
                records.series(0, 0, 100);
            }
            replicator.awaitMessages(topic, 100, LIMIT);
            group.awaitCommitted(topic, 100);
        }
    }

    @Test
    @DisplayName(
            "with a database what the broker forgot while no node ran is no first start: a topic made anew arrives whole, positions that are gone are taken up")
    void knownToTheDatabase() throws Exception {
        Map<String, Integer> counts =
                Map.of("known-fewer", 40, "known-same", 100, "known-more", 160);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, "known")
                        .set(
                                "camel.component.replication.undeliveredUrl",
                                folder.resolve("known").toString());
        Set<String> all = new TreeSet<>(counts.keySet());
        all.add("known-gone");
        for (String topic : all) {
            topics(topic, 1);
            settings.replicate(topic, "startFrom: latest");
        }
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (Replicator replicator = Replicator.start(settings, folder)) {
            readHundred(replicator, group, all);
        }
        counts.forEach(this::recreate);
        try (LocalRecords records = new LocalRecords(sandbox, "known-gone")) {
            records.series(0, 100, 50);
        }
        forget(group, "known-gone");
        for (String topic : all) {
            assertThat(group.committed(topic)).as("the broker forgets it").isEmpty();
        }
        try (Replicator replicator = Replicator.start(settings, folder)) {
            for (String topic : counts.keySet()) {
                awaitDelivered(topic, both(counts.get(topic)));
                group.awaitCommitted(topic, counts.get(topic));
                assertThat(replicator.status(topic).events())
                        .extracting(PositionEvent::kind, PositionEvent::from, PositionEvent::to)
                        .containsExactly(tuple(Kind.RECREATED, 100L, 0L));
            }
            awaitDelivered("known-gone", numbers(0, 150));
            group.awaitCommitted("known-gone", 150);
            assertThat(replicator.status("known-gone").events())
                    .extracting(PositionEvent::kind, PositionEvent::from, PositionEvent::to)
                    .containsExactly(tuple(Kind.POSITION_GONE, 100L, 100L));
        }
    }

    /** As a broker does with the positions of a group that was away for long. */
    private void forget(Group group, String topic) {
        sandbox.topics()
                .admin(
                        Side.LOCAL,
                        admin ->
                                admin.deleteConsumerGroupOffsets(
                                                group.id(), Set.of(new TopicPartition(topic, 0)))
                                        .all());
    }

    private static List<String> both(int count) {
        List<String> all = new ArrayList<>(numbers(0, 100));
        all.addAll(anew(count));
        return all;
    }

    private String metadata(Group group, String topic) {
        return sandbox.topics()
                .admin(
                        Side.LOCAL,
                        admin ->
                                admin.listConsumerGroupOffsets(group.id())
                                        .partitionsToOffsetAndMetadata())
                .get(new TopicPartition(topic, 0))
                .metadata();
    }

    @Test
    @Tag("case-O4")
    @Tag("case-O5")
    @DisplayName("a new partition is read from its first message, also with startFrom latest")
    void newPartition() throws Exception {
        String topic = "new-partition";
        topics(topic, 2);
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .connectionProperty("metadata.max.age.ms", 1_000)
                        .replicate(topic, "startFrom: latest");
        Group group = new Group(sandbox, Side.LOCAL, settings.groupId());
        try (LocalRecords records = new LocalRecords(sandbox, topic)) {
            records.series(0, 0, 10).series(1, 0, 10);
            try (Replicator replicator = Replicator.start(settings, folder)) {
                awaitEvent(replicator, topic, Kind.START);
                group.awaitCommitted(topic, 20);
                sandbox.topics().grow(Side.LOCAL, topic, 3);
                try (LocalRecords fresh = new LocalRecords(sandbox, topic)) {
                    fresh.series(2, 0, 20);
                }
                replicator.awaitMessages(topic, 20, LIMIT);
                group.awaitCommitted(topic, 40);
                assertThat(delivered(topic)).containsExactlyInAnyOrderElementsOf(numbers(0, 20));
                assertThat(events(replicator, topic, Kind.NEW_PARTITION))
                        .extracting(PositionEvent::partition)
                        .containsExactly(2);
                LinkStatus status = replicator.status(topic);
                assertThat(status.assignedPartitions()).isEqualTo(3);
                assertThat(status.totalPartitions()).isEqualTo(3);
                assertThat(status.errorSince()).isNull();
            }
            // Another one while we are down.
            sandbox.topics().grow(Side.LOCAL, topic, 4);
            try (LocalRecords fresh = new LocalRecords(sandbox, topic)) {
                fresh.series(3, 20, 20);
            }
            try (Replicator replicator = Replicator.start(settings, folder)) {
                replicator.awaitMessages(topic, 20, LIMIT);
                group.awaitCommitted(topic, 60);
                assertThat(delivered(topic)).containsExactlyInAnyOrderElementsOf(numbers(0, 40));
                assertThat(events(replicator, topic, Kind.NEW_PARTITION))
                        .extracting(PositionEvent::partition)
                        .containsExactly(3);
            }
        }
    }
}
