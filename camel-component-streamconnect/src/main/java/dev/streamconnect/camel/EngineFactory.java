package dev.streamconnect.camel;

import dev.streamconnect.engine.KafkaEngine;
import dev.streamconnect.engine.StreamConnectEngine;
import java.time.Clock;
import java.time.Duration;

/**
 * Makes the engine of a Camel context. One in the context's registry takes the place of {@link
 * #DEFAULT}.
 */
@FunctionalInterface
public interface EngineFactory {

    /** The engine on Kafka clients. */
    EngineFactory DEFAULT = KafkaEngine::create;

    /**
     * Makes an engine; touches no network.
     *
     * @param node name of this node in states and metrics
     * @param clock the time
     * @param stopLimit how long closing may take
     */
    StreamConnectEngine create(String node, Clock clock, Duration stopLimit);
}
