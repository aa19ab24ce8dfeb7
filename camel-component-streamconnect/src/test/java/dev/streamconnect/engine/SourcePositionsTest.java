package dev.streamconnect.engine;

import static dev.streamconnect.engine.Fixtures.PLANT;
import static dev.streamconnect.engine.Fixtures.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.PositionEvent.Kind;
import dev.streamconnect.record.OnGap;
import dev.streamconnect.record.OnRecreated;
import dev.streamconnect.record.StartFrom;
import dev.streamconnect.spi.KnownPartition;
import dev.streamconnect.spi.TopicReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Positions of a source client:")
class SourcePositionsTest {

    private static final Uuid OLD = Uuid.randomUuid();
    private static final Uuid NEW = Uuid.randomUuid();
    private static final TopicReader READER =
            new TopicReader(PLANT.groupId(), PLANT.cluster(), "", SOURCE.topic());
    private static final PositionPolicy FAIL = new PositionPolicy(OnGap.FAIL, OnRecreated.FAIL);

    private final MovedClock clock = new MovedClock();
    private final Group consumer = new Group();
    private final MemoryKnownTopics database = new MemoryKnownTopics();
    private SourceMemory memory = new SourceMemory(null, PLANT);
    private SourcePositions positions =
            new SourcePositions(consumer, PLANT, Duration.ofSeconds(1), memory);
    private final Map<TopicPartition, PartitionFlow> flows = new HashMap<>();
    private HandDrivenLink link;
    private SourceTopic topic;

    /** A consumer whose group has what the test says. */
    private static final class Group extends MockConsumer<byte[], byte[]> {
        private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();

        Group() {
            super(OffsetResetStrategy.NONE);
        }

        @Override
        public synchronized Map<TopicPartition, OffsetAndMetadata> committed(
                Set<TopicPartition> partitions, Duration timeout) {
            Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
            partitions.forEach(one -> found.put(one, committed.get(one)));
            return found;
        }
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition(SOURCE.topic(), number);
    }

    private void link(StartFrom startFrom, PositionPolicy policy) {
        LinkDefinition definition =
                new LinkDefinition(
                        "orders-to-sn",
                        List.of(PLANT),
                        SOURCE.topic(),
                        startFrom,
                        Fixtures.HERMES,
                        "snc.acme.orders",
                        Fixtures.options(true, 2, 10_000, policy));
        link = HandDrivenLink.with(definition, clock);
        topic = new SourceTopic(SOURCE.topic(), link);
    }

    /** There is a database from now on. */
    private void withDatabase() {
        memory = new SourceMemory(database.topics, PLANT);
        positions = new SourcePositions(consumer, PLANT, Duration.ofSeconds(1), memory);
    }

    /** Another node, or this one at an earlier start, has noted it. */
    private void noted(int number, PositionMark mark, long position) {
        database.has(READER, number, mark, position, clock.instant());
    }

    private void look(Uuid id, int partitions) {
        topic.probeBegins();
        topic.readable(
                FakeProbe.there(id, partitions, Map.of()),
                clock.instant(),
                clock.instant().plusSeconds(60));
    }

    private void committed(int number, long offset, String metadata) {
        consumer.committed.put(partition(number), new OffsetAndMetadata(offset, metadata));
    }

    private void log(int number, long begin, long end) {
        consumer.updateBeginningOffsets(Map.of(partition(number), begin));
        consumer.updateEndOffsets(Map.of(partition(number), end));
    }

    /** These are assigned now, beside those that are already. */
    private void assign(Integer... numbers) {
        Set<TopicPartition> all = new HashSet<>(flows.keySet());
        for (int number : numbers) {
            all.add(partition(number));
        }
        consumer.assign(all);
        for (int number : numbers) {
            PartitionFlow flow =
                    new PartitionFlow(link, partition(number), null, topic.partitions(), () -> {});
            flows.put(partition(number), flow);
            positions.missing(partition(number));
        }
        turn();
    }

    private void leave(int number) {
        PartitionFlow left = flows.remove(partition(number));
        left.close();
        positions.forget(left, topic);
        consumer.assign(flows.keySet());
    }

    private void turn() {
        positions.setMissing(flows, Map.of(SOURCE.topic(), topic));
    }

    private void outOfRange(int number, long at) {
        positions.repair(new OffsetOutOfRangeException(Map.of(partition(number), at)), flows);
        turn();
    }

    private PartitionFlow flow(int number) {
        return flows.get(partition(number));
    }

    private long position(int number) {
        return consumer.position(partition(number));
    }

    private List<PositionEvent> events() {
        return link.monitor().snapshot().events();
    }

    private PositionEvent event(
            Kind kind, int number, long from, long to, long count, boolean stopped) {
        return new PositionEvent(
                kind, SOURCE.topic(), null, number, from, to, count, clock.instant(), stopped);
    }

    private static String mark(Uuid id, int first) {
        return of(id, first).text();
    }

    private static PositionMark of(Uuid id, int first) {
        return new PositionMark(id.toString(), "cluster-1", first);
    }

    private String committedMark(int number) {
        return SourcePositions.withMetadata(Map.of(partition(number), 1L), flows)
                .get(partition(number))
                .metadata();
    }

    // ---- gaps

    @Test
    @Tag("case-H5")
    @Tag("case-O1")
    @DisplayName("what the source removed is one event with its range, and DEGRADED for an hour")
    void gap() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 60, 100);
        assign(0);
        assertThat(position(0)).isEqualTo(20);
        assertThat(positions.isMissing(partition(0))).isFalse();

        outOfRange(0, 20);
        assertThat(positions.isMissing(partition(0))).as("until the topic was looked at").isTrue();
        assertThat(topic.isProbeDue(clock.instant())).isTrue();
        look(OLD, 4);
        turn();
        turn();
        assertThat(position(0)).isEqualTo(60);
        assertThat(positions.isMissing(partition(0))).isFalse();
        assertThat(events()).containsExactly(event(Kind.GAP, 0, 20, 60, 40, false));
        assertThat(link.counters().totals().gapMessages()).isEqualTo(40);
        assertThat(link.counters().totals().positionEvents()).isEqualTo(1);
        LinkStatus status = link.status();
        assertThat(status.state()).isEqualTo(LinkState.DEGRADED);
        assertThat(status.reason())
                .contains("40 message(s) of orders-0", "offsets 20 to 59", "went on at 60");
        flow(0).idleAt(60);
        assertThat(flow(0).committable()).isEqualTo(60);

        clock.move(PositionEvents.SHOWN);
        assertThat(link.status().errorSince()).isNull();
        assertThat(link.status().events()).as("still to be seen").hasSize(1);
    }

    @Test
    @Tag("case-H5")
    @DisplayName(
            "with onGap=fail it stops with the mend, commits nothing past it, and goes on by replay")
    void gapFails() {
        link(StartFrom.EARLIEST, FAIL);
        look(OLD, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 60, 100);
        assign(0);
        outOfRange(0, 20);
        look(OLD, 4);
        turn();
        assertThat(positions.isStopped(partition(0))).isTrue();
        assertThat(position(0)).isEqualTo(20);
        flow(0).idleAt(position(0));
        assertThat(flow(0).committable()).isEqualTo(-1);
        assertThat(link.status().state()).isEqualTo(LinkState.FAILED);
        assertThat(link.status().reason())
                .contains(
                        "offsets 20 to 59",
                        "operation=replay&replayFrom=earliest&partition=0",
                        "onGap=continue");
        assertThat(events()).containsExactly(event(Kind.GAP, 0, 20, 60, 40, true));

        // Meanwhile the source has removed more.
        log(0, 70, 100);
        positions.goOn(flow(0), topic);
        look(OLD, 4);
        turn();
        look(OLD, 4);
        turn();
        assertThat(position(0)).isEqualTo(70);
        assertThat(events())
                .containsExactly(
                        event(Kind.GAP, 0, 20, 60, 40, true),
                        event(Kind.GAP, 0, 60, 70, 10, false));
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
    }

    @Test
    @DisplayName("a position that is in the log when it is looked at is no event")
    void noGap() {
        link(StartFrom.EARLIEST, FAIL);
        look(OLD, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 0, 100);
        assign(0);
        outOfRange(0, 20);
        look(OLD, 4);
        turn();
        assertThat(position(0)).isEqualTo(20);
        assertThat(positions.isMissing(partition(0))).isFalse();
        assertThat(events()).isEmpty();
    }

    // ---- topics that were made anew

    @Test
    @DisplayName("a position of another topic id: the new topic is read from its begin, once told")
    void anewWhileDown() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(NEW, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 0, 100);
        assign(0);
        assertThat(positions.isMissing(partition(0))).as("the last look may be too old").isTrue();
        look(NEW, 4);
        turn();
        turn();
        assertThat(position(0)).isZero();
        assertThat(events()).containsExactly(event(Kind.RECREATED, 0, 20, 0, -1, false));
        assertThat(flow(0).committable()).isZero();
        assertThat(committedMark(0)).isEqualTo(mark(NEW, 0));
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
        assertThat(link.status().reason()).contains("orders was made anew", "at 20", "from 0");
    }

    @Test
    @DisplayName(
            "where another node has gone on in the new topic already, an old look does not go back")
    void oldLook() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(0, 20, mark(NEW, 0));
        log(0, 0, 100);
        assign(0);
        assertThat(positions.isMissing(partition(0))).isTrue();
        look(NEW, 4);
        turn();
        assertThat(position(0)).isEqualTo(20);
        assertThat(events()).isEmpty();
        assertThat(committedMark(0)).isEqualTo(mark(NEW, 0));
    }

    @Test
    @DisplayName(
            "while it is read: what was taken of the old topic arrives before the new one begins")
    void anewWhileReading() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(2, 5, mark(OLD, 4));
        log(2, 0, 7);
        assign(2);
        flow(2).offer(Fixtures.polled(5, 7));
        link.work();
        look(NEW, 4);
        positions.anew(flows.values(), topic);
        turn();
        look(NEW, 4);
        turn();
        assertThat(positions.isMissing(partition(2))).as("two are on their way").isTrue();
        assertThat(events()).isEmpty();
        Delivery taken = link.inRoute.remove();
        taken.emitBatch(taken.batch());
        taken.complete();
        link.acknowledgeEverything();
        assertThat(committedMark(2)).isEqualTo(mark(OLD, 4));
        turn();
        assertThat(position(2)).isZero();
        assertThat(events()).containsExactly(event(Kind.RECREATED, 2, 7, 0, -1, false));
        assertThat(flow(2).committable()).isZero();
        assertThat(committedMark(2)).isEqualTo(mark(NEW, 0));
        positions.anew(flows.values(), topic);
        turn();
        assertThat(events()).hasSize(1);
    }

    @Test
    @DisplayName("with onRecreated=fail it stops at its old position, and goes on by replay")
    void anewFails() {
        link(StartFrom.EARLIEST, FAIL);
        look(OLD, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 0, 100);
        assign(0);
        look(NEW, 4);
        positions.anew(flows.values(), topic);
        turn();
        look(NEW, 4);
        turn();
        assertThat(positions.isStopped(partition(0))).isTrue();
        assertThat(events()).containsExactly(event(Kind.RECREATED, 0, 20, 0, -1, true));
        assertThat(link.status().state()).isEqualTo(LinkState.FAILED);
        assertThat(link.status().reason())
                .contains("made anew", "replayFrom=earliest&partition=0", "onRecreated=earliest");
        assertThat(committedMark(0)).isEqualTo(mark(OLD, 4));
        assertThat(flow(0).position()).isEqualTo(20);

        // The same at the next start.
        leave(0);
        assign(0);
        look(NEW, 4);
        turn();
        assertThat(positions.isStopped(partition(0))).isTrue();
        assertThat(flow(0).position()).isEqualTo(20);

        positions.goOn(flow(0), topic);
        turn();
        look(NEW, 4);
        turn();
        assertThat(position(0)).isZero();
        assertThat(flow(0).committable()).isZero();
        assertThat(committedMark(0)).isEqualTo(mark(NEW, 0));
        assertThat(events()).hasSize(2);
    }

    @Test
    @DisplayName(
            "the broker forgets the positions of a topic that is deleted; this process does not")
    void forgotten() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(0, 20, mark(OLD, 4));
        log(0, 0, 100);
        log(1, 0, 50);
        assign(0);
        leave(0);
        consumer.committed.clear();
        look(NEW, 4);
        assign(0, 1);
        look(NEW, 4);
        turn();
        assertThat(events())
                .containsExactlyInAnyOrder(
                        event(Kind.RECREATED, 0, 20, 0, -1, false),
                        event(Kind.RECREATED, 1, -1, 0, -1, false));
        assertThat(position(0)).isZero();
        assertThat(position(1)).isZero();
    }

    @Test
    @DisplayName("positions of another cluster are those of another topic")
    void otherCluster() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(0, 20, new PositionMark("", "cluster-2", 4).text());
        log(0, 0, 100);
        assign(0);
        look(OLD, 4);
        turn();
        assertThat(position(0)).isZero();
        assertThat(events()).extracting(PositionEvent::kind).containsExactly(Kind.RECREATED);
    }

    // ---- what the database remembers where the broker does not

    @Test
    @DisplayName(
            "made anew while no node ran: the database knows the old topic, and all of the new one is read")
    void anewWhileNoNodeRan() {
        withDatabase();
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(NEW, 3);
        noted(0, of(OLD, 2), 20);
        noted(1, of(OLD, 2), 7);
        log(0, 0, 100);
        log(1, 0, 5);
        log(2, 0, 3);
        assign(0, 1, 2);
        database.work();
        turn();
        look(NEW, 3);
        turn();
        turn();
        assertThat(events())
                .containsExactlyInAnyOrder(
                        event(Kind.RECREATED, 0, 20, 0, -1, false),
                        event(Kind.RECREATED, 1, 7, 0, -1, false),
                        event(Kind.RECREATED, 2, -1, 0, -1, false));
        assertThat(List.of(position(0), position(1), position(2))).containsOnly(0L);
        assertThat(committedMark(2)).isEqualTo(mark(NEW, 0));
        assertThat(database.finds).isEqualTo(1);
    }

    @Test
    @DisplayName("made anew while no node ran, with onRecreated=fail: it stops at its old position")
    void anewWhileNoNodeRanFails() {
        withDatabase();
        link(StartFrom.LATEST, FAIL);
        look(NEW, 1);
        noted(0, of(OLD, 1), 20);
        log(0, 0, 100);
        assign(0);
        database.work();
        turn();
        look(NEW, 1);
        turn();
        assertThat(positions.isStopped(partition(0))).isTrue();
        assertThat(events()).containsExactly(event(Kind.RECREATED, 0, 20, 0, -1, true));
        assertThat(flow(0).position()).isEqualTo(20);
    }

    @Test
    @DisplayName("a topic that neither the group nor the database knows is a first start")
    void firstStart() {
        withDatabase();
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(NEW, 1);
        TopicReader otherGroup = new TopicReader("other", PLANT.cluster(), "", SOURCE.topic());
        database.has(otherGroup, 0, of(OLD, 1), 20, clock.instant());
        log(0, 0, 100);
        assign(0);
        database.work();
        turn();
        assertThat(events()).containsExactly(event(Kind.START, 0, -1, 100, 100, false));
    }

    @Test
    @DisplayName("positions that are gone in the same topic: it goes on as noted, also over a gap")
    void positionsAreGone() {
        withDatabase();
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        noted(0, of(OLD, 2), 40);
        noted(1, of(OLD, 2), 10);
        log(0, 0, 100);
        log(1, 30, 100);
        log(2, 5, 100);
        log(3, 0, 100);
        assign(0, 1, 2, 3);
        database.work();
        turn();
        assertThat(List.of(position(0), position(1), position(2), position(3)))
                .containsExactly(40L, 10L, 5L, 0L);
        assertThat(events())
                .containsExactlyInAnyOrder(
                        event(Kind.POSITION_GONE, 0, 40, 40, 0, false),
                        event(Kind.POSITION_GONE, 1, 10, 10, 0, false),
                        event(Kind.NEW_PARTITION, 2, -1, 5, 0, false),
                        event(Kind.NEW_PARTITION, 3, -1, 0, 0, false));
        assertThat(committedMark(0)).isEqualTo(mark(OLD, 2));
        outOfRange(1, 10);
        look(OLD, 4);
        turn();
        assertThat(events()).contains(event(Kind.GAP, 1, 10, 30, 20, false));
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
        assertThat(link.status().reason()).contains("offsets 10 to 29");
    }

    @Test
    @DisplayName("a partition that the group read, and nobody noted, is read from its begin")
    void goneAndNotNoted() {
        withDatabase();
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 2);
        noted(0, of(OLD, 2), 40);
        log(1, 3, 100);
        assign(1);
        database.work();
        turn();
        assertThat(position(1)).isEqualTo(3);
        assertThat(events()).containsExactly(event(Kind.POSITION_GONE, 1, -1, 3, 0, false));
    }

    @Test
    @DisplayName("a partition of a first start that another node shares begins by startFrom")
    void firstStartOfTwoNodes() {
        withDatabase();
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 2);
        noted(0, of(OLD, 2), 100);
        committed(0, 100, mark(OLD, 2));
        log(1, 3, 50);
        assign(1);
        database.work();
        turn();
        assertThat(events()).containsExactly(event(Kind.START, 1, -1, 50, 47, false));
    }

    @Test
    @DisplayName(
            "while the database is away only what has no position waits, and the status says why")
    void databaseAway() {
        withDatabase();
        database.away = true;
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(NEW, 2);
        committed(1, 30, mark(NEW, 2));
        log(0, 0, 100);
        log(1, 0, 100);
        assign(0, 1);
        database.work();
        turn();
        assertThat(positions.isMissing(partition(1))).isFalse();
        assertThat(position(1)).isEqualTo(30);
        assertThat(positions.isMissing(partition(0))).isTrue();
        assertThat(link.status().state()).isEqualTo(LinkState.STALLED);
        assertThat(link.status().reason())
                .contains("no position in orders", "not known", "the database is away");
        for (int i = 0; i < 3; i++) {
            turn();
            database.backoffEnds();
        }
        assertThat(database.finds).as("asked after each pause, not at each turn").isEqualTo(4);
        assertThat(positions.isMissing(partition(0))).isTrue();

        database.away = false;
        database.backoffEnds();
        turn();
        assertThat(positions.isMissing(partition(0))).isFalse();
        assertThat(link.status().state()).isNotEqualTo(LinkState.STALLED);
    }

    @Test
    @DisplayName(
            "noted is what the group has committed: at once, then each minute, and when it is left")
    void notes() {
        withDatabase();
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 1);
        committed(0, 20, mark(OLD, 1));
        log(0, 0, 100);
        assign(0);
        note();
        assertThat(notedPositions()).containsExactly(20L);
        flow(0).idleAt(50);
        note();
        clock.move(SourceMemory.NOTE_EACH);
        note();
        assertThat(notedPositions()).as("not before it is committed").containsExactly(20L);
        flow(0).committable();
        flow(0).committed(50);
        note();
        assertThat(notedPositions()).containsExactly(50L);
        flow(0).idleAt(60);
        flow(0).committable();
        flow(0).committed(60);
        note();
        assertThat(notedPositions()).as("a minute is not over").containsExactly(50L);
        int before = database.notes;
        memory.last(flows.values(), clock.instant());
        database.work();
        assertThat(notedPositions()).containsExactly(60L);
        assertThat(database.notes).isEqualTo(before + 1);
    }

    private void note() {
        memory.note(flows.values(), clock.instant());
        database.work();
    }

    private List<Long> notedPositions() {
        return database.rows.stream().map(KnownPartition::position).toList();
    }

    // ---- logs that were cut

    @Test
    @DisplayName("a position beyond the end is read again from the begin, after what was taken")
    void beyondTheEnd() {
        link(StartFrom.EARLIEST, FAIL);
        look(OLD, 4);
        committed(0, 100, mark(OLD, 4));
        log(0, 3, 80);
        assign(0);
        outOfRange(0, 100);
        look(OLD, 4);
        turn();
        assertThat(position(0)).isEqualTo(3);
        assertThat(flow(0).committable()).isEqualTo(3);
        assertThat(events()).containsExactly(event(Kind.BEYOND_END, 0, 100, 3, 0, false));
        assertThat(link.status().state()).isEqualTo(LinkState.DEGRADED);
    }

    @Test
    @DisplayName(
            "where the broker says from where on the log is another, it is read again from there")
    void cut() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        committed(0, 100, mark(OLD, 4));
        log(0, 3, 120);
        assign(0);
        positions.repair(
                new LogTruncationException(
                        Map.of(partition(0), 100L),
                        Map.of(partition(0), new OffsetAndMetadata(90))),
                flows);
        turn();
        look(OLD, 4);
        turn();
        assertThat(position(0)).isEqualTo(90);
        assertThat(events()).containsExactly(event(Kind.BEYOND_END, 0, 100, 90, 0, false));
    }

    // ---- new partitions and the first start

    @Test
    @Tag("case-O4")
    @DisplayName("a partition that came later begins at its first message, whatever startFrom says")
    void newPartition() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 2);
        log(0, 0, 100);
        log(1, 10, 50);
        log(2, 0, 20);
        assign(0, 1);
        assertThat(position(0)).isEqualTo(100);
        assertThat(position(1)).isEqualTo(50);
        assertThat(events())
                .containsExactlyInAnyOrder(
                        event(Kind.START, 0, -1, 100, 100, false),
                        event(Kind.START, 1, -1, 50, 40, false));
        assertThat(link.status().errorSince()).as("as it was wished").isNull();
        String marked = committedMark(0);
        assertThat(marked).isEqualTo(mark(OLD, 2));
        committed(0, 100, marked);
        // Another node had this one and has not committed yet: it was there at the begin.
        leave(1);

        look(OLD, 3);
        assign(2);
        assertThat(position(2)).isZero();
        assertThat(events().get(2)).isEqualTo(event(Kind.NEW_PARTITION, 2, -1, 0, 0, false));
        assertThat(committedMark(2)).as("what was there at the begin").isEqualTo(mark(OLD, 2));
        assertThat(committedMark(0)).isEqualTo(mark(OLD, 2));
    }

    @Test
    @DisplayName(
            "a partition that was there at the begin begins by startFrom, also on another node")
    void otherNode() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 3);
        committed(0, 100, mark(OLD, 2));
        log(1, 10, 50);
        assign(1);
        assertThat(position(1)).isEqualTo(50);
        assertThat(events()).containsExactly(event(Kind.START, 1, -1, 50, 40, false));
    }

    @Test
    @DisplayName("where a start has not been committed yet, it is taken up again, not moved on")
    void startIsKept() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 2);
        log(0, 0, 100);
        assign(0);
        leave(0);
        log(0, 0, 130);
        assign(0);
        assertThat(position(0)).isEqualTo(100);
        assertThat(events()).hasSize(1);
    }

    @Test
    @DisplayName("positions of others, without or with foreign metadata, are accepted")
    void foreign() {
        link(StartFrom.LATEST, PositionPolicy.DEFAULT);
        look(OLD, 3);
        committed(0, 20, "");
        committed(1, 30, "something, else=x, first=y");
        log(0, 0, 100);
        log(1, 0, 100);
        log(2, 4, 100);
        assign(0, 1, 2);
        assertThat(position(0)).isEqualTo(20);
        assertThat(position(1)).isEqualTo(30);
        assertThat(position(2)).as("the group knows the topic").isEqualTo(4);
        assertThat(events()).extracting(PositionEvent::kind).containsExactly(Kind.NEW_PARTITION);
        assertThat(committedMark(0)).isEqualTo(mark(OLD, -1));
    }

    @Test
    @DisplayName("a broker that does not answer now keeps its topic waiting, and is asked again")
    void away() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        look(OLD, 4);
        log(0, 0, 100);
        consumer.setOffsetsException(new TimeoutException("away"));
        assign(0);
        assertThat(positions.isMissing(partition(0))).isTrue();
        turn();
        assertThat(positions.isMissing(partition(0))).isFalse();
        assertThat(position(0)).isZero();
    }

    @Test
    @DisplayName("many events are some lines of the log, and the newest are kept")
    void bounded() {
        link(StartFrom.EARLIEST, PositionPolicy.DEFAULT);
        try (LogLines lines = new LogLines(PositionEvents.class.getName())) {
            for (int i = 0; i < 1_000; i++) {
                link.monitor().happened(event(Kind.GAP, 0, i, i + 1, 1, false));
            }
            assertThat(lines.lines()).hasSize(PositionEvents.LINES);
            clock.move(Duration.ofMinutes(1));
            link.monitor().happened(event(Kind.GAP, 0, 1_000, 1_001, 1, false));
            assertThat(lines.lines()).hasSize(PositionEvents.LINES + 2);
            assertThat(lines.lines().get(PositionEvents.LINES)).contains("960 more event(s)");
        }
        assertThat(events()).hasSize(PositionEvents.KEPT);
        assertThat(events().get(PositionEvents.KEPT - 1).to()).isEqualTo(1_001);
        assertThat(link.counters().totals().gapMessages()).isEqualTo(1_001);
    }
}
