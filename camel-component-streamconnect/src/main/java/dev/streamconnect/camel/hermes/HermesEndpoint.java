package dev.streamconnect.camel.hermes;

import java.util.Map;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.EndpointServiceLocation;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Read and write topics of the Hermes Messaging Service of a ServiceNow instance. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "hermes",
        title = "Hermes",
        syntax = "hermes:topic",
        category = {Category.MESSAGING},
        headersClass = HermesConstants.class)
public class HermesEndpoint extends DefaultEndpoint implements EndpointServiceLocation {

    private static final Logger LOG = LoggerFactory.getLogger(HermesEndpoint.class);

    @UriPath(
            description =
                    "Short name of the topic, to which snc.(instance) is added, or its full name, which starts with"
                            + " snc.")
    @Metadata(required = true)
    private final String topic;

    @UriParam private final HermesConfiguration configuration;

    private volatile HermesSettings settings;

    HermesEndpoint(
            String uri,
            HermesComponent component,
            String topic,
            HermesConfiguration configuration) {
        super(uri, component);
        this.topic = topic;
        this.configuration = configuration;
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        settings = ((HermesComponent) getComponent()).settings(configuration, topic);
        Object idempotence = configuration.getProducerProperties().get("enable.idempotence");
        if (idempotence != null && Boolean.parseBoolean(idempotence.toString())) {
            LOG.warn(
                    "hermes:{}: producer.enable.idempotence=true can lose acknowledged messages at a fail-over: both"
                            + " clusters hand out the same producer ids, and one takes new messages for repeats",
                    topic);
        }
    }

    @Override
    public Producer createProducer() throws Exception {
        return new HermesProducer(this, settings());
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        HermesSettings checked = settings();
        if (checked.groupId() == null) {
            throw new IllegalArgumentException(
                    "groupId: is missing; give a label for the consumer group, which becomes "
                            + checked.instance().topicPrefix()
                            + "(label)");
        }
        HermesConsumer consumer = new HermesConsumer(this, processor, checked);
        configureConsumer(consumer);
        return consumer;
    }

    private HermesSettings settings() {
        if (settings == null) {
            settings = ((HermesComponent) getComponent()).settings(configuration, topic);
        }
        return settings;
    }

    public String getTopic() {
        return topic;
    }

    public HermesConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public String getServiceUrl() {
        HermesSettings checked = settings;
        return checked == null ? null : checked.producer().bootstrapServers();
    }

    @Override
    public String getServiceProtocol() {
        return "kafka";
    }

    @Override
    public Map<String, String> getServiceMetadata() {
        return Map.of("topic", topic);
    }
}
