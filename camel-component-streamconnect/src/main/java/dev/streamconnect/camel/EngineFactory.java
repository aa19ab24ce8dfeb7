package dev.streamconnect.camel;

import dev.streamconnect.engine.EngineSettings;
import dev.streamconnect.engine.KafkaEngine;
import dev.streamconnect.engine.StreamConnectEngine;

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
     * @param settings what it is made of
     */
    StreamConnectEngine create(EngineSettings settings);
}
