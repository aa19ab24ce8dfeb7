package dev.streamconnect.camel.hermes;

import dev.streamconnect.cluster.ClientProperties;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.GroupNames;
import dev.streamconnect.cluster.HermesBootstrap;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesPorts;
import dev.streamconnect.cluster.HermesTopic;
import dev.streamconnect.cluster.InstanceMatch;
import dev.streamconnect.cluster.Role;
import dev.streamconnect.cluster.Side;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.TlsStore;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.engine.PairOptions;
import dev.streamconnect.engine.PositionPolicy;
import dev.streamconnect.record.StartFrom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The options of {@code hermes:}, checked and frozen. Immutable; made without touching the network.
 *
 * @param instance the instance
 * @param bootstrap where it is reached
 * @param topic full name of the topic; null for the settings of a component alone
 * @param groupId full name of the group; null where none is given
 * @param startFrom where to begin if the group has no position
 * @param positions what happens where a partition can't go on at its position
 * @param batch true: an exchange holds a batch
 * @param pair how the two sides are put together
 * @param delivery when a producer's exchange goes on
 * @param keepsUndelivered true: what is not delivered goes to the undelivered store
 * @param allowTombstone true takes a null body
 * @param maxMessageBytes largest message to send, bytes
 * @param tls the checked certificate and stores
 * @param producerProperties properties of the producer, the user's last
 * @param consumerProperties properties of both consumers, the user's last
 */
public record HermesSettings(
        HermesInstance instance,
        HermesBootstrap bootstrap,
        String topic,
        String groupId,
        StartFrom startFrom,
        PositionPolicy positions,
        boolean batch,
        PairOptions pair,
        DeliveryMode delivery,
        boolean keepsUndelivered,
        boolean allowTombstone,
        int maxMessageBytes,
        WatchedTls tls,
        Map<String, Object> producerProperties,
        Map<String, Object> consumerProperties) {

    private static final String CLUSTER = "hermes";

    /**
     * Largest {@code maxMessageBytes}: what a length in the Kafka protocol can hold, with room for
     * the rest.
     */
    private static final int MOST_MESSAGE_BYTES = 1_000_000_000;

    /** Each takes about 100 bytes of memory, for each topic. */
    private static final int MOST_REMEMBERED = 10_000_000;

    public HermesSettings {
        producerProperties = Map.copyOf(producerProperties);
        consumerProperties = Map.copyOf(consumerProperties);
    }

    /**
     * Checks the form.
     *
     * @param topic short or full name; null for the settings of a component alone
     * @param tls opens the stores
     * @throws IllegalArgumentException one line a fault: option, reason, mend
     */
    static HermesSettings of(
            HermesConfiguration form, String topic, Function<TlsOptions, WatchedTls> tls) {
        HermesInstance instance = new HermesInstance(form.getInstance(), form.getDomain());
        HermesBootstrap bootstrap =
                HermesBootstrap.of(instance)
                        .ports(new HermesPorts(form.getPortBase(), form.isAnyPorts()))
                        .sides(Side.parse(form.getSides()))
                        .servers(Role.PRODUCER, form.getProducerBootstrapServers())
                        .servers(Role.CONSUMER_A, form.getConsumerABootstrapServers())
                        .servers(Role.CONSUMER_B, form.getConsumerBBootstrapServers())
                        .build();
        String fullTopic = topic == null ? null : fullTopic(form, instance, topic);
        WatchedTls material = tls.apply(tlsOptions(form));
        if (!form.isAllowInstanceMismatch()) {
            refuseOtherInstance(instance, fullTopic, bootstrap, material.current().subject());
            material.require(
                    next -> refuseOtherInstance(instance, null, bootstrap, next.subject()));
        }
        requireValues("producerProperties", form.getProducerProperties());
        requireValues("consumerProperties", form.getConsumerProperties());
        Map<String, Object> security = new LinkedHashMap<>();
        security.put("security.protocol", "SSL");
        security.putAll(material.properties());
        return new HermesSettings(
                instance,
                bootstrap,
                fullTopic,
                group(form, instance),
                option("startFrom", () -> StartFrom.parse(form.getStartFrom())),
                new PositionPolicy(form.getOnGap(), form.getOnRecreated()),
                form.isBatch(),
                pair(form),
                form.getDelivery(),
                form.getUndelivered() == UndeliveredMode.STORE,
                form.isAllowTombstone(),
                maxMessageBytes(form),
                material,
                HermesCodec.producer(form, security),
                merged(security, form.getConsumerProperties()));
    }

    /** Where to send to. */
    public ConnectionSettings producer() {
        return new ConnectionSettings(
                CLUSTER,
                ClientRole.HERMES_PRODUCER,
                bootstrap.servers(Role.PRODUCER),
                null,
                producerProperties);
    }

    /** The sides to read, A first. */
    public List<ConnectionSettings> consumers(String group) {
        List<ConnectionSettings> sides = new ArrayList<>();
        for (Side side : Side.values()) {
            if (bootstrap.sides().contains(side)) {
                sides.add(
                        new ConnectionSettings(
                                CLUSTER,
                                side == Side.A ? ClientRole.HERMES_A : ClientRole.HERMES_B,
                                bootstrap.servers(side.role()),
                                group,
                                consumerProperties));
            }
        }
        return sides;
    }

    /** Names the places; never shows properties. */
    @Override
    public String toString() {
        return "HermesSettings["
                + instance.host()
                + ", topic="
                + topic
                + ", group="
                + groupId
                + "]";
    }

    private static String fullTopic(
            HermesConfiguration form, HermesInstance instance, String topic) {
        return option(
                "topic",
                () ->
                        form.isAllowInstanceMismatch() && HermesTopic.isFull(topic)
                                ? new HermesTopic(topic).fullName()
                                : HermesTopic.of(
                                                instance,
                                                topic,
                                                Optional.ofNullable(form.getNamespace()),
                                                Optional.ofNullable(form.getApplicationId()))
                                        .fullName());
    }

    private static String group(HermesConfiguration form, HermesInstance instance) {
        String group = form.getGroupId();
        if (group == null) {
            return null;
        }
        String full = HermesTopic.isFull(group) ? group : instance.topicPrefix() + group;
        Optional<String> problem =
                form.isAllowInstanceMismatch()
                        ? GroupNames.problem(full)
                        : GroupNames.hermesProblem(instance, full);
        problem.ifPresent(
                reason -> {
                    throw new IllegalArgumentException("groupId: " + reason);
                });
        return full;
    }

    private static TlsOptions tlsOptions(HermesConfiguration form) {
        TlsStore keystore =
                form.getKeystore() == null
                        ? null
                        : TlsStore.file(
                                "keystore",
                                "keystorePassword",
                                form.getKeystore(),
                                form.getKeystorePassword());
        if (keystore == null
                && !(ownsSecurity(form.getProducerProperties())
                        && ownsSecurity(form.getConsumerProperties()))) {
            throw new IllegalArgumentException(
                    "keystore: is missing; Hermes wants a client certificate, give the PKCS12 file that the instance's"
                            + " certificate generator made");
        }
        TlsStore truststore =
                form.getTruststore() == null
                        ? null
                        : TlsStore.file(
                                "truststore",
                                "truststorePassword",
                                form.getTruststore(),
                                form.getTruststorePassword());
        return new TlsOptions(
                keystore,
                "keyPassword",
                form.getKeyPassword(),
                truststore,
                form.isHostnameVerification(),
                null);
    }

    /** Whether the user's own client properties say how the client proves who it is. */
    private static boolean ownsSecurity(Map<String, Object> properties) {
        return properties.keySet().stream()
                .anyMatch(
                        name ->
                                name.equals("security.protocol")
                                        || name.startsWith("ssl.keystore."));
    }

    private static void refuseOtherInstance(
            HermesInstance instance, String topic, HermesBootstrap bootstrap, String subject) {
        InstanceMatch match = new InstanceMatch(instance);
        List<String> faults = new ArrayList<>(match.check(topic, null, subject));
        for (String host : bootstrap.hosts()) {
            faults.addAll(match.check(null, host, null));
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "instance: "
                            + String.join("; ", faults)
                            + " (allowInstanceMismatch=true takes it as it is)");
        }
    }

    private static PairOptions pair(HermesConfiguration form) {
        if (form.getDrainLimit() < 1) {
            throw new IllegalArgumentException(
                    "drainLimit: " + form.getDrainLimit() + " is too small; use 1 or more");
        }
        int window = form.getDeduplicateWindow();
        if (window < 1 || window > MOST_REMEMBERED) {
            throw new IllegalArgumentException(
                    "deduplicateWindow: "
                            + window
                            + " is out of range; use 1 to "
                            + MOST_REMEMBERED);
        }
        return new PairOptions(
                form.getFailoverOrder(),
                Duration.ofMillis(form.getDrainLimit()),
                form.getDeduplicate(),
                window);
    }

    private static int maxMessageBytes(HermesConfiguration form) {
        int bytes = form.getMaxMessageBytes();
        if (bytes < 1 || bytes > MOST_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "maxMessageBytes: "
                            + bytes
                            + " is out of range; use 1 to "
                            + MOST_MESSAGE_BYTES);
        }
        return bytes;
    }

    private static void requireValues(String option, Map<String, Object> properties) {
        properties.forEach(
                (name, value) ->
                        ClientProperties.fault(name, value)
                                .ifPresent(
                                        fault -> {
                                            throw new IllegalArgumentException(
                                                    option + "[" + name + "]: " + fault);
                                        }));
    }

    static Map<String, Object> merged(Map<String, Object> derived, Map<String, Object> users) {
        Map<String, Object> all = new LinkedHashMap<>(derived);
        users.forEach(
                (name, value) -> {
                    if (value != null) {
                        all.put(name, value);
                    }
                });
        WatchedTls.yieldTo(all, users);
        return all;
    }

    private static <T> T option(String name, Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }
}
