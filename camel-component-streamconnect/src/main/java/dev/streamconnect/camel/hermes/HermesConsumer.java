package dev.streamconnect.camel.hermes;

import dev.streamconnect.camel.HeaderNames;
import dev.streamconnect.camel.LinkConsumer;
import dev.streamconnect.engine.Link;
import dev.streamconnect.engine.LinkDefinition;
import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.engine.StreamConnectEngine;
import org.apache.camel.Processor;

/** Reads a topic from both sides as one stream. */
final class HermesConsumer extends LinkConsumer {

    private final HermesSettings settings;

    HermesConsumer(HermesEndpoint endpoint, Processor processor, HermesSettings settings) {
        super(endpoint, processor, HeaderNames.HERMES, settings.batch());
        this.settings = settings;
    }

    @Override
    protected Link open(StreamConnectEngine engine) {
        return engine.open(
                new LinkDefinition(
                        settings.topic() + "@" + settings.groupId(),
                        settings.consumers(settings.groupId()),
                        settings.topic(),
                        settings.startFrom(),
                        null,
                        null,
                        LinkOptions.defaults(
                                settings.batch(), settings.pair(), settings.positions())),
                this::handle);
    }
}
