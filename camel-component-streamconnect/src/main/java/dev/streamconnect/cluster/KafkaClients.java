package dev.streamconnect.cluster;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only place where Kafka clients are built, with the settings that measuring the pair taught
 * (design, section 8).
 *
 * <p>Around each construction the context class loader is the Kafka library's own and afterwards
 * what it was, also on an error, so that login modules and serializers are found in OSGi and Camel
 * JBang; serializers are passed as instances.
 *
 * <p>A property of the connection wins over a default, but not over what the engine's promises rest
 * on (see {@link #MANAGED}).
 */
public final class KafkaClients {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaClients.class);

    /** Properties that the engine sets whatever the connection says. */
    public static final Set<String> MANAGED =
            Set.of(
                    ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                    ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                    ConsumerConfig.GROUP_ID_CONFIG,
                    ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                    ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                    ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
                    ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
                    ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                    ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                    ProducerConfig.ACKS_CONFIG,
                    ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                    CommonClientConfigs.CLIENT_ID_CONFIG,
                    CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                    CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG);

    private KafkaClients() {}

    /**
     * Builds a producer.
     *
     * @param onCluster told the cluster id with each metadata answer, on the client's I/O thread
     * @throws IllegalArgumentException if the client refuses its configuration; one line that names
     *     the connection
     * @throws UnresolvedHostException if no host of the bootstrap list has an address now
     * @throws TlsPortException if the connection has no TLS and its port speaks it
     * @throws TokenException if its token endpoint gives no token; waits for it, some seconds at
     *     most
     */
    public static Producer<byte[], byte[]> producer(
            ConnectionSettings settings, String clientId, ClusterResourceListener onCluster) {
        return producer(producerConfig(settings, clientId), settings, onCluster);
    }

    /**
     * As {@link #producer(ConnectionSettings, String, ClusterResourceListener)}.
     *
     * @param batchSize size of a batch in bytes, in place of the configured one
     */
    public static Producer<byte[], byte[]> producer(
            ConnectionSettings settings,
            String clientId,
            ClusterResourceListener onCluster,
            int batchSize) {
        Map<String, Object> config = producerConfig(settings, clientId);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, batchSize);
        return producer(config, settings, onCluster);
    }

    private static Producer<byte[], byte[]> producer(
            Map<String, Object> config,
            ConnectionSettings settings,
            ClusterResourceListener onCluster) {
        TlsPort.refuse(settings);
        return construct(
                settings,
                () ->
                        new KafkaProducer<>(
                                config,
                                new ByteArraySerializer(),
                                new ClusterAwareSerializer(onCluster)));
    }

    /** The settings that {@link #producer} uses. */
    public static Map<String, Object> producerConfig(ConnectionSettings settings, String clientId) {
        Map<String, Object> config = common();
        config.put(ProducerConfig.LINGER_MS_CONFIG, 5);
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 8 * 1024 * 1024);
        config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * 1024 * 1024);
        config.put(ProducerConfig.BATCH_SIZE_CONFIG, 512 * 1024);
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 120_000);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 5_000L);
        if (settings.role() == ClientRole.CUSTOMER) {
            config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        } else {
            // An idempotent producer can lose acknowledged records after a fail-over: both clusters
            // hand out
            // the same producer ids. In-flight 1 keeps the order without it.
            config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
            config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        }
        addConnection(config, settings, ProducerConfig.configNames());
        if (settings.role() != ClientRole.CUSTOMER
                && Boolean.parseBoolean(
                        String.valueOf(config.get(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)))) {
            LOG.warn(
                    "{}: enable.idempotence=true can lose acknowledged messages after a fail-over, because both"
                            + " clusters of the pair hand out the same producer ids; remove it",
                    settings.displayName());
        }
        keepOrder(config, settings);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        return config;
    }

    /** Without idempotence more than one request in flight turns batches round at a retry. */
    private static void keepOrder(Map<String, Object> config, ConnectionSettings settings) {
        String name = ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
        if (Boolean.parseBoolean(
                String.valueOf(config.get(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG)))) {
            return;
        }
        Object before = config.put(name, 1);
        if (before != null && !"1".equals(String.valueOf(before).strip())) {
            LOG.warn(
                    "{}: {}={} without idempotence would break the order of messages; 1 is used",
                    settings.displayName(),
                    name,
                    before);
        }
    }

    /**
     * Builds a consumer that commits and resets nothing by itself. It connects at its first poll,
     * so its port is not looked at here. Other errors as {@link #producer}.
     *
     * @param instanceId its place in the group ({@code group.instance.id}): a consumer that is
     *     built with the same one takes over at once, without a rebalance and without waiting for
     *     the end of the other's session. It keeps the place when it is closed, until {@link
     *     #leaveGroup} or the end of its session
     */
    public static Consumer<byte[], byte[]> consumer(
            ConnectionSettings settings, String clientId, String instanceId) {
        Map<String, Object> config = consumerConfig(settings, clientId);
        config.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, instanceId);
        return construct(
                settings,
                () ->
                        new KafkaConsumer<>(
                                config, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
    }

    /**
     * Gives up the place of a closed consumer in its group, so that others take its partitions now.
     * If that fails they do at the end of its session.
     *
     * @param limit how long this may block
     */
    public static void leaveGroup(
            ConnectionSettings settings, String clientId, String instanceId, Duration limit) {
        Admin admin = null;
        try {
            admin = admin(settings, clientId);
            admin.removeMembersFromConsumerGroup(
                            settings.groupId(),
                            new RemoveMembersFromConsumerGroupOptions(
                                    Set.of(new MemberToRemove(instanceId))))
                    .all()
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug(
                    "{}: {} did not leave group {}",
                    settings.displayName(),
                    instanceId,
                    settings.groupId(),
                    e);
        } finally {
            if (admin != null) {
                admin.close(Duration.ZERO);
            }
        }
    }

    /** The settings that {@link #consumer} uses, but for the place in the group. */
    public static Map<String, Object> consumerConfig(ConnectionSettings settings, String clientId) {
        Map<String, Object> config = common();
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 4_000);
        // Topics share the consumer. While the busy ones are buffered, its one fetch to a broker
        // asks
        // for idle ones only and waits this long; the busy ones can't be fetched meanwhile. With
        // the
        // client's 500 ms an idle topic cut the others to 0.28 of their rate when measured.
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        // New partitions are found after this, and then given out by a rebalance.
        config.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 30_000L);
        // A connection that swallows everything is given up after this; reading again does no harm.
        config.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 6_000);
        addConnection(config, settings, ConsumerConfig.configNames());
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                CooperativeStickyAssignor.class.getName());
        config.put(ConsumerConfig.GROUP_ID_CONFIG, settings.groupId());
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        return config;
    }

    /** Builds an admin client for probes: short limits. Errors as {@link #producer}. */
    public static Admin admin(ConnectionSettings settings, String clientId) {
        TlsPort.refuse(settings);
        Map<String, Object> config = common();
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 5_000);
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        config.put(AdminClientConfig.RETRIES_CONFIG, 3);
        addConnection(config, settings, AdminClientConfig.configNames());
        config.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
        return construct(settings, () -> Admin.create(config));
    }

    private static Map<String, Object> common() {
        Map<String, Object> config = new HashMap<>();
        config.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        config.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG, 3_000L);
        config.put(CommonClientConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG, 4_000L);
        config.put(CommonClientConfigs.RECONNECT_BACKOFF_MS_CONFIG, 250L);
        config.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 3_000L);
        config.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, 60_000L);
        return config;
    }

    private static void addConnection(
            Map<String, Object> config, ConnectionSettings settings, Set<String> known) {
        Set<String> ignored = new TreeSet<>();
        settings.properties()
                .forEach(
                        (name, value) -> {
                            if (MANAGED.contains(name)) {
                                ignored.add(name);
                            } else if (known.contains(name) || !isOtherClients(name)) {
                                config.put(name, value);
                            }
                        });
        if (!ignored.isEmpty()) {
            LOG.warn(
                    "{}: client properties {} are managed by the engine and ignored",
                    settings.displayName(),
                    ignored);
        }
        WatchedSslEngines.into(config);
        config.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        // The client's own rebootstrap made each outage longer when measured; the engine rebuilds
        // clients itself.
        config.put(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
    }

    private static boolean isOtherClients(String name) {
        return ProducerConfig.configNames().contains(name)
                || ConsumerConfig.configNames().contains(name)
                || AdminClientConfig.configNames().contains(name);
    }

    private static <T> T construct(ConnectionSettings settings, Supplier<T> constructor) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(Admin.class.getClassLoader());
        TokenLogin.takeFailure();
        try {
            return constructor.get();
        } catch (KafkaException e) {
            TokenException noToken = TokenLogin.takeFailure();
            if (noToken != null) {
                throw noToken.of(settings);
            }
            if (!anyHostResolves(settings)) {
                throw new UnresolvedHostException(settings, e);
            }
            throw new IllegalArgumentException(
                    settings.displayName()
                            + ": "
                            + StoreProperties.fault(settings).orElse(Causes.shortest(e)),
                    e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static boolean anyHostResolves(ConnectionSettings settings) {
        return HostPort.parseList(settings.bootstrapServers()).stream()
                .anyMatch(
                        entry -> !new InetSocketAddress(entry.host(), entry.port()).isUnresolved());
    }

    /** Passes bytes through; Kafka tells the cluster id to serializers that listen. */
    private static final class ClusterAwareSerializer extends ByteArraySerializer
            implements ClusterResourceListener {
        private final ClusterResourceListener listener;

        ClusterAwareSerializer(ClusterResourceListener listener) {
            this.listener = listener;
        }

        @Override
        public void onUpdate(org.apache.kafka.common.ClusterResource clusterResource) {
            listener.onUpdate(clusterResource);
        }
    }
}
