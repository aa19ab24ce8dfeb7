package dev.streamconnect.camel;

import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import org.apache.camel.CamelContext;
import org.apache.camel.test.junit5.CamelTestSupport;

/** A context with a recording engine and a hermes component that needs no keystore. */
public abstract class EngineTestSupport extends CamelTestSupport {

    protected final RecordingEngine engine = new RecordingEngine();

    @Override
    protected CamelContext createCamelContext() throws Exception {
        CamelContext context = super.createCamelContext();
        context.getRegistry()
                .bind("engine", EngineFactory.class, (EngineFactory) settings -> engine);
        HermesConfiguration hermes =
                context.getComponent("hermes", HermesComponent.class).getConfiguration();
        hermes.setInstance("acme");
        hermes.getProducerProperties().put("security.protocol", "PLAINTEXT");
        hermes.getConsumerProperties().put("security.protocol", "PLAINTEXT");
        configure(context);
        return context;
    }

    /** What a test adds before routes are added. */
    protected void configure(CamelContext context) throws Exception {}
}
