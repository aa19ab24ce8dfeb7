package dev.streamconnect.benchmark.contender;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.main.Main;

/**
 * A route from {@code kafka:} to {@code kafka:}. Client settings that camel-kafka has no option for
 * go through {@code additionalProperties}. Its own commits are on: after the route has come to its
 * end, so after the acknowledgement.
 */
final class CamelKafkaRoute implements Contender {

    /** Options that camel-kafka sets itself whatever the additional properties say. */
    private static final Map<String, String> CONSUMER_OPTIONS =
            Map.of(
                    "max.poll.records", "maxPollRecords",
                    "auto.offset.reset", "autoOffsetReset",
                    "isolation.level", "isolationLevel",
                    "fetch.max.wait.ms", "fetchWaitMaxMs",
                    "max.partition.fetch.bytes", "maxPartitionFetchBytes");

    private static final Map<String, String> PRODUCER_OPTIONS =
            Map.of(
                    "acks", "requestRequiredAcks",
                    "enable.idempotence", "enableIdempotence",
                    "max.in.flight.requests.per.connection", "maxInFlightRequest",
                    "batch.size", "producerBatchSize",
                    "linger.ms", "lingerMs",
                    "buffer.memory", "bufferMemorySize",
                    "max.request.size", "maxRequestSize");

    private static final Map<String, String> TLS_OPTIONS =
            Map.of(
                    "security.protocol", "securityProtocol",
                    "ssl.keystore.location", "sslKeystoreLocation",
                    "ssl.keystore.password", "sslKeystorePassword",
                    "ssl.keystore.type", "sslKeystoreType",
                    "ssl.key.password", "sslKeyPassword",
                    "ssl.truststore.location", "sslTruststoreLocation",
                    "ssl.truststore.password", "sslTruststorePassword",
                    "ssl.truststore.type", "sslTruststoreType");

    /** Among the options of a run: dispatches what it has after so many milliseconds. */
    private static final String BATCHING_INTERVAL = "kafka.batchingIntervalMs";

    private static final String BYTES = "org.apache.kafka.common.serialization.ByteArray";

    private final boolean batching;

    CamelKafkaRoute(boolean batching) {
        this.batching = batching;
    }

    @Override
    public AutoCloseable start(ContenderSettings settings) throws Exception {
        Main main = new Main();
        main.configure()
                .addRoutesBuilder(
                        new RouteBuilder() {
                            @Override
                            public void configure() {
                                for (int i = 0; i < settings.sourceTopics().size(); i++) {
                                    from(source(settings, i)).to(destination(settings, i));
                                }
                            }
                        });
        main.start();
        return main::stop;
    }

    private String source(ContenderSettings settings, int index) {
        Map<String, String> options = options(settings.consumer(), CONSUMER_OPTIONS);
        options.put("groupId", settings.group());
        options.put("keyDeserializer", BYTES + "Deserializer");
        options.put("valueDeserializer", BYTES + "Deserializer");
        options.put("batching", Boolean.toString(batching));
        String interval = settings.options().get(BATCHING_INTERVAL);
        if (batching && interval != null) {
            options.put("batchingIntervalMs", interval);
        }
        // The engine's own commit follows each batch.
        options.remove("additionalProperties.enable.auto.commit");
        return uri(settings.sourceTopics().get(index), settings.source(), options);
    }

    private static String destination(ContenderSettings settings, int index) {
        Map<String, String> options = options(settings.producer(), PRODUCER_OPTIONS);
        options.put("keySerializer", BYTES + "Serializer");
        options.put("valueSerializer", BYTES + "Serializer");
        return uri(settings.destinationTopics().get(index), settings.destination(), options);
    }

    private static Map<String, String> options(
            Map<String, String> client, Map<String, String> names) {
        Map<String, String> options = new TreeMap<>();
        client.forEach(
                (name, value) ->
                        options.put(
                                names.getOrDefault(
                                        name,
                                        TLS_OPTIONS.getOrDefault(
                                                name, "additionalProperties." + name)),
                                value));
        return options;
    }

    private static String uri(String topic, String servers, Map<String, String> options) {
        options.put("brokers", servers);
        return "kafka:"
                + topic
                + options.entrySet().stream()
                        .map(option -> option.getKey() + "=RAW(" + option.getValue() + ")")
                        .collect(Collectors.joining("&", "?", ""));
    }
}
