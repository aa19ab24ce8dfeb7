package dev.streamconnect.engine;

import dev.streamconnect.spi.KnownTopicStore;
import dev.streamconnect.spi.UndeliveredStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;

/**
 * What an engine is made of.
 *
 * @param node name of this process in client ids, states and metrics
 * @param clock the time
 * @param stopLimit how long all stops together may wait for what is in flight
 * @param store keeps undelivered messages; null for none: then a message that the destination
 *     refuses stops its partition. Closed by who made it, after the engine
 * @param knownTopics remembers which topics were read, and how far; null for none: then a topic
 *     that was made anew while no node ran is taken for a first start. Closed by who made it, after
 *     the engine
 * @param retry when stored messages are tried again
 * @param holdsKeys true: later messages of a key wait behind a stored one; false: they go on, and
 *     arrive before it
 * @param rates limits toward Hermes, of all links together
 */
public record EngineSettings(
        String node,
        Clock clock,
        Duration stopLimit,
        UndeliveredStore store,
        KnownTopicStore knownTopics,
        RetryPolicy retry,
        boolean holdsKeys,
        HermesRates rates) {

    public EngineSettings {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(stopLimit, "stopLimit");
        Objects.requireNonNull(retry, "retry");
        Objects.requireNonNull(rates, "rates");
    }
}
