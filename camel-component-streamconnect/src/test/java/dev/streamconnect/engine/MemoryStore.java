package dev.streamconnect.engine;

import dev.streamconnect.spi.Epoch;
import dev.streamconnect.spi.FailedAttempt;
import dev.streamconnect.spi.HeldKey;
import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.Stage;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.StoredState;
import dev.streamconnect.spi.TopicPair;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A store without a database, which the test can take away. It outlives a flow that crashes. */
final class MemoryStore implements UndeliveredStore {

    final List<StoredMessage> rows = new ArrayList<>();
    volatile boolean away;
    boolean shared = true;

    /** So many calls are answered, then it is away; negative for never. */
    int awayAfter = -1;

    private final Map<String, String> leases = new HashMap<>();
    private long ids;

    private synchronized void answer() {
        if (awayAfter == 0) {
            away = true;
        }
        awayAfter--;
        if (away) {
            throw new StoreUnavailableException("the database is away", null);
        }
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    @Override
    public synchronized void store(List<UndeliveredMessage> messages) {
        answer();
        for (UndeliveredMessage message : messages) {
            boolean known =
                    message.offset() >= 0
                            && rows.stream().anyMatch(row -> same(row.message(), message));
            if (!known) {
                rows.add(
                        new StoredMessage(
                                ++ids,
                                message,
                                StoredState.WAITING,
                                message.bytes(),
                                message.key() != null,
                                null));
            }
        }
    }

    private static boolean same(UndeliveredMessage one, UndeliveredMessage other) {
        return one.origin().equals(other.origin())
                && one.stage() == other.stage()
                && one.offset() == other.offset()
                && ByteBuffer.wrap(one.fingerprint()).equals(ByteBuffer.wrap(other.fingerprint()));
    }

    @Override
    public synchronized List<HeldKey> heldKeys(MessageOrigin origin, TopicPair topics) {
        answer();
        Set<List<Object>> seen = new HashSet<>();
        List<HeldKey> keys = new ArrayList<>();
        for (StoredMessage row : rows) {
            UndeliveredMessage message = row.message();
            if (message.origin().equals(origin)
                    && topics.takes(message.topics())
                    && row.state() == StoredState.WAITING
                    && message.key() != null
                    && seen.add(List.of(message.stage(), ByteBuffer.wrap(message.key())))) {
                keys.add(new HeldKey(message.stage(), message.key()));
            }
        }
        return keys;
    }

    @Override
    public synchronized Optional<Epoch> latestEpoch(MessageOrigin origin) {
        answer();
        return rows.stream()
                .map(StoredMessage::message)
                .filter(m -> m.origin().equals(origin))
                .max(Comparator.comparingInt(UndeliveredMessage::epoch))
                .map(m -> new Epoch(m.epoch(), m.topicId()));
    }

    @Override
    public synchronized List<StoredMessage> due(
            MessageOrigin origin,
            TopicPair topics,
            Stage stage,
            Instant now,
            int maxRows,
            long maxBytes) {
        answer();
        List<StoredMessage> own =
                rows.stream()
                        .filter(row -> row.state() == StoredState.WAITING)
                        .filter(row -> row.message().origin().equals(origin))
                        .filter(row -> topics.takes(row.message().topics()))
                        .filter(row -> row.message().stage() == stage)
                        .sorted(
                                Comparator.comparingInt((StoredMessage r) -> r.message().epoch())
                                        .thenComparingLong(r -> r.message().offset())
                                        .thenComparingLong(StoredMessage::id))
                        .toList();
        Set<ByteBuffer> blocked = new HashSet<>();
        List<StoredMessage> due = new ArrayList<>();
        for (StoredMessage row : own) {
            byte[] key = row.message().key();
            boolean late = row.message().nextAttempt().isAfter(now);
            if (late && key != null) {
                blocked.add(ByteBuffer.wrap(key));
            }
            if (!late
                    && (key == null || !blocked.contains(ByteBuffer.wrap(key)))
                    && due.size() < maxRows) {
                due.add(row);
            }
        }
        return due;
    }

    @Override
    public synchronized List<MessageOrigin> directOrigins() {
        return rows.stream()
                .map(row -> row.message().origin())
                .filter(MessageOrigin::isDirect)
                .distinct()
                .toList();
    }

    @Override
    public synchronized void delivered(Collection<Long> ids) {
        answer();
        rows.removeIf(row -> ids.contains(row.id()));
    }

    @Override
    public synchronized void failed(Collection<FailedAttempt> attempts) {
        answer();
        for (FailedAttempt attempt : attempts) {
            rows.replaceAll(row -> row.id() == attempt.id() ? noted(row, attempt) : row);
        }
    }

    private static StoredMessage noted(StoredMessage row, FailedAttempt attempt) {
        UndeliveredMessage m = row.message();
        boolean parks = attempt.nextAttempt() == null;
        return new StoredMessage(
                row.id(),
                new UndeliveredMessage(
                        m.origin(),
                        m.stage(),
                        m.topicId(),
                        m.epoch(),
                        m.offset(),
                        m.occurrence(),
                        m.topics(),
                        m.partition(),
                        m.key(),
                        m.value(),
                        m.headers(),
                        m.timestamp(),
                        attempt.reason(),
                        attempt.errorClass(),
                        attempt.errorText(),
                        m.attempts() + (attempt.sent() ? 1 : 0),
                        m.at(),
                        parks ? m.nextAttempt() : attempt.nextAttempt()),
                parks ? StoredState.PARKED : StoredState.WAITING,
                row.bytes(),
                row.hasKey(),
                attempt.at());
    }

    @Override
    public int retry(RowSelector selector, Instant now) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int park(RowSelector selector) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int discard(RowSelector selector) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized List<StoredMessage> list(RowSelector selector, long afterId, int maxRows) {
        answer();
        return rows.stream()
                .filter(row -> selector.links().contains(row.message().origin().link()))
                .filter(row -> row.id() > afterId)
                .filter(
                        row ->
                                selector.topics() == null
                                        || selector.topics().takes(row.message().topics()))
                .limit(maxRows)
                .toList();
    }

    @Override
    public Optional<StoredMessage> show(long id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized List<OriginTotals> totals() {
        answer();
        return rows.stream()
                .map(row -> List.of(row.message().origin(), row.message().topics()))
                .distinct()
                .map(of -> totals((MessageOrigin) of.get(0), (TopicPair) of.get(1)))
                .toList();
    }

    private OriginTotals totals(MessageOrigin origin, TopicPair topics) {
        return new OriginTotals(
                origin,
                topics,
                count(origin, topics, StoredState.WAITING),
                0,
                count(origin, topics, StoredState.PARKED),
                0,
                null);
    }

    private long count(MessageOrigin origin, TopicPair topics, StoredState state) {
        return rows.stream()
                .filter(row -> row.message().origin().equals(origin))
                .filter(row -> row.message().topics().equals(topics) && row.state() == state)
                .count();
    }

    @Override
    public int purgeParked(Instant olderThan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized boolean lease(String name, String owner, Duration duration) {
        answer();
        return owner.equals(leases.computeIfAbsent(name, n -> owner));
    }

    @Override
    public synchronized void release(String name, String owner) {
        leases.remove(name, owner);
    }

    @Override
    public void close() {
        // nothing is held
    }
}
