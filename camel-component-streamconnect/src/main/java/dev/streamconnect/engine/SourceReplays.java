package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.engine.ReplayedPartition.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Moves positions of a source client back. Poll thread only.
 *
 * <p>A partition is drained first: nothing new leaves it, and what is with the route, the
 * destination or the store comes to its end. Then it seeks, and the move is told when the group's
 * new position is stored. It seeks only while no commit is under way, so that a commit of before
 * can't come after the new position. What can't be drained in time goes on where it was.
 *
 * <p>A partition that stopped at its position (see {@link SourcePositions#isStopped}) goes on at
 * the first message of its source, whatever is asked: what it took before comes to its end.
 */
final class SourceReplays {

    /** A request for the partitions of one topic. */
    private record Request(
            List<ReplayedPartition> done,
            List<Move> moves,
            CompletableFuture<List<ReplayedPartition>> answer) {}

    /** A partition on its way. */
    private static final class Move {
        private final PartitionFlow flow;
        private final long to;
        private final Instant giveUpAt;
        private final boolean goesOn;
        private long from;
        private boolean sought;

        Move(PartitionFlow flow, long from, long to, Instant giveUpAt, boolean goesOn) {
            this.flow = flow;
            this.from = from;
            this.to = to;
            this.giveUpAt = giveUpAt;
            this.goesOn = goesOn;
        }

        ReplayedPartition ended(Outcome outcome, String reason) {
            return new ReplayedPartition(
                    flow.side(),
                    flow.partition().partition(),
                    outcome,
                    from,
                    outcome == Outcome.MOVED ? to : from,
                    reason);
        }
    }

    private final Map<TopicPartition, PartitionFlow> flows;
    private final String side;
    private final List<Request> requests = new ArrayList<>();

    /**
     * @param flows of the client, as they come and go
     * @param side null for a customer's Kafka
     */
    SourceReplays(Map<TopicPartition, PartitionFlow> flows, String side) {
        this.flows = flows;
        this.side = side;
    }

    /**
     * Begins a replay.
     *
     * @param partition null for all
     * @param limit how long a partition may take
     * @param answer told what was done with each partition, or what is wrong with the request
     */
    void begin(
            SourceTopic topic,
            ReplayFrom from,
            Integer partition,
            SourcePositions positions,
            Instant now,
            Duration limit,
            CompletableFuture<List<ReplayedPartition>> answer) {
        if (answer.isDone()) {
            // Whoever asked has gone and was told that nothing was done.
            return;
        }
        try {
            Request request = new Request(new ArrayList<>(), new ArrayList<>(), answer);
            begin(topic, from, partition, positions, now.plus(limit), request);
            requests.add(request);
        } catch (InterruptException | WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            answer.completeExceptionally(
                    new IllegalStateException(
                            "nothing is moved, since the source does not tell its offsets: "
                                    + Causes.shortest(e)));
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    private void begin(
            SourceTopic topic,
            ReplayFrom from,
            Integer partition,
            SourcePositions positions,
            Instant giveUpAt,
            Request request) {
        boolean isThere =
                partition == null || !topic.isReadable() || partition < topic.partitions();
        if (!isThere && side == null) {
            throw new IllegalArgumentException(
                    "partition: there is no partition "
                            + partition
                            + "; "
                            + topic.name()
                            + " has "
                            + topic.partitions());
        }
        int first = partition == null ? 0 : partition;
        int last = partition == null ? topic.partitions() - 1 : partition;
        Map<TopicPartition, PartitionFlow> own = new HashMap<>();
        Map<TopicPartition, PartitionFlow> stopped = new HashMap<>();
        for (int number = first; number <= last; number++) {
            TopicPartition one = new TopicPartition(topic.name(), number);
            PartitionFlow flow = flows.get(one);
            if (flow == null || positions.isMissing(one)) {
                request.done.add(ReplayedPartition.notOwned(side, number));
            } else if (positions.isStopped(one)) {
                stopped.put(one, flow);
            } else {
                own.put(one, flow);
            }
        }
        Map<TopicPartition, Long> targets = positions.offsets(own.keySet(), from);
        own.forEach((one, flow) -> refuseForward(flow, from));
        Map<TopicPartition, Long> begins =
                positions.offsets(stopped.keySet(), new ReplayFrom.Earliest());
        own.forEach((one, flow) -> begin(flow, targets.get(one), giveUpAt, request));
        stopped.forEach(
                (one, flow) -> {
                    positions.goOn(flow, topic);
                    request.moves.add(
                            new Move(flow, flow.position(), begins.get(one), giveUpAt, true));
                });
    }

    private static void refuseForward(PartitionFlow flow, ReplayFrom from) {
        if (from instanceof ReplayFrom.Offset asked && asked.offset() > flow.position()) {
            throw new IllegalArgumentException(
                    "replayFrom: offset "
                            + asked.offset()
                            + " is ahead of the position of "
                            + flow.partition()
                            + ", "
                            + flow.position()
                            + "; going there would skip messages");
        }
    }

    private static void begin(PartitionFlow flow, Long target, Instant giveUpAt, Request request) {
        long position = flow.position();
        Move move = new Move(flow, position, target == null ? position : target, giveUpAt, false);
        if (target == null || target >= position) {
            request.done.add(move.ended(Outcome.UNCHANGED, ""));
        } else if (flow.drain()) {
            request.moves.add(move);
        } else {
            request.done.add(move.ended(Outcome.NOT_MOVED, "another replay of it is under way"));
        }
    }

    /**
     * Takes the next steps; called at each turn.
     *
     * @param commitUnderWay true while a commit has no answer yet
     * @return true if a new position wants to be committed now
     */
    boolean advance(
            Consumer<byte[], byte[]> consumer,
            SourcePositions positions,
            boolean commitUnderWay,
            Instant now) {
        boolean sought = false;
        for (Iterator<Request> all = requests.iterator(); all.hasNext(); ) {
            Request request = all.next();
            for (Iterator<Move> moves = request.moves.iterator(); moves.hasNext(); ) {
                Move move = moves.next();
                sought |=
                        move.goesOn
                                ? wentOn(move, positions)
                                : !commitUnderWay && seek(move, consumer);
                ReplayedPartition ended = ended(move, now);
                if (ended != null) {
                    request.done.add(ended);
                    moves.remove();
                }
            }
            if (request.moves.isEmpty()) {
                all.remove();
                request.done.sort(Comparator.comparingInt(ReplayedPartition::partition));
                request.answer.complete(List.copyOf(request.done));
            }
        }
        return sought;
    }

    private static boolean wentOn(Move move, SourcePositions positions) {
        boolean news = !move.sought && !positions.isMissing(move.flow.partition());
        move.sought |= news;
        return news;
    }

    private boolean seek(Move move, Consumer<byte[], byte[]> consumer) {
        TopicPartition partition = move.flow.partition();
        if (move.sought || flows.get(partition) != move.flow) {
            return false;
        }
        long from = move.flow.restartAt(move.to);
        if (from < 0) {
            return false;
        }
        consumer.seek(partition, move.to);
        // What was on its way when it was asked for has arrived meanwhile.
        move.from = from;
        move.sought = true;
        return true;
    }

    /** Null while it goes on. */
    private ReplayedPartition ended(Move move, Instant now) {
        if (move.sought && move.flow.isCommitted(move.to)) {
            return move.ended(Outcome.MOVED, "");
        }
        if (flows.get(move.flow.partition()) != move.flow || move.flow.isClosed()) {
            return move.ended(Outcome.NOT_MOVED, "it left this node meanwhile; repeat it");
        }
        if (now.isBefore(move.giveUpAt)) {
            return null;
        }
        if (move.sought || move.goesOn) {
            return move.ended(
                    Outcome.MOVED,
                    "its group position is not stored yet; repeat it if this node ends before");
        }
        move.flow.endDrain();
        return move.ended(
                Outcome.NOT_MOVED,
                "messages on their way did not come to an end; repeat it when its state is RUNNING");
    }

    /** Nothing more comes of what is open. */
    void end() {
        for (Request request : requests) {
            request.moves.forEach(
                    move ->
                            request.done.add(
                                    move.ended(Outcome.NOT_MOVED, "this node stops; repeat it")));
            request.answer.complete(List.copyOf(request.done));
        }
        requests.clear();
    }
}
