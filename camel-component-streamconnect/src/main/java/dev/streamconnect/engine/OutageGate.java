package dev.streamconnect.engine;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Stands before the Kafka clients of a connection while it does not answer, since a client that is
 * let loose on dead addresses logs several lines a second. Shut at the begin of an outage, it opens
 * when one of the addresses answers a ping. Where pings may mean nothing it also opens now and then
 * for a try: after 15 s where connections are accepted, after 60 s where they are not. If a client
 * gets nowhere though the ping was answered, the next one waits longer, up to 30 s.
 *
 * <p>Thread-safe. A look blocks one caller for up to three seconds; others that look meanwhile are
 * told that it is shut.
 */
final class OutageGate {

    private static final Duration EACH = Duration.ofSeconds(1);
    private static final Duration TRY_CONNECTED = Duration.ofSeconds(15);
    private static final Duration TRY_ANYWAY = Duration.ofSeconds(60);

    /** Shut again so soon after it opened: the client that was let through got nowhere. */
    private static final Duration IN_VAIN = Duration.ofSeconds(40);

    private final Supplier<BrokerPing.Answer> ping;
    private final Clock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile boolean shut;
    private final Backoff backoff = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(30));
    private Instant shutAt = Instant.EPOCH;

    /** When it opened for an answer; a client that is tried without one fails as expected. */
    private Instant answeredAt = Instant.EPOCH;

    private Instant notBefore = Instant.EPOCH;
    private Instant askedAt = Instant.EPOCH;
    private int inVain;

    OutageGate(ConnectionSettings settings, Clock clock) {
        this(new BrokerPing(settings.bootstrapServers())::ask, clock);
    }

    /** With a ping of the caller's. */
    OutageGate(Supplier<BrokerPing.Answer> ping, Clock clock) {
        this.ping = ping;
        this.clock = clock;
    }

    /** Nothing answers: no client should be built or used until it opens. */
    void shut() {
        asking.lock();
        try {
            if (shut) {
                return;
            }
            shutAt = clock.instant();
            inVain = answeredAt.plus(IN_VAIN).isAfter(shutAt) ? inVain + 1 : 0;
            notBefore = inVain == 0 ? shutAt : shutAt.plus(backoff.delay(inVain));
            shut = true;
        } finally {
            asking.unlock();
        }
    }

    /** A call got no answer: shuts if a ping gets none either. */
    void shutUnlessAnswered() {
        asking.lock();
        try {
            if (!shut && ping.get() != BrokerPing.Answer.ANSWERED) {
                shut();
            }
        } finally {
            asking.unlock();
        }
    }

    /** True if clients may be used; asks the addresses once a second at most while it is shut. */
    boolean isOpen() {
        if (!shut) {
            return true;
        }
        if (!asking.tryLock()) {
            return false;
        }
        try {
            Instant now = clock.instant();
            boolean due = !now.isBefore(notBefore) && !askedAt.plus(EACH).isAfter(now);
            if (shut && due) {
                BrokerPing.Answer answer = ping.get();
                askedAt = clock.instant();
                if (opens(answer)) {
                    shut = false;
                    answeredAt = answer == BrokerPing.Answer.ANSWERED ? askedAt : Instant.EPOCH;
                }
            }
            return !shut;
        } finally {
            asking.unlock();
        }
    }

    private boolean opens(BrokerPing.Answer answer) {
        return switch (answer) {
            case ANSWERED -> true;
            case CONNECTED -> !shutAt.plus(TRY_CONNECTED).isAfter(askedAt);
            case NONE -> !shutAt.plus(TRY_ANYWAY).isAfter(askedAt);
        };
    }
}
