package dev.streamconnect.preflight;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ClientProperties;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.HostPort;
import dev.streamconnect.cluster.TokenException;
import java.net.InetAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;

/** Looks at one side of one connection, from its certificate to its rights. For one use. */
final class TargetCheck {

    /** What lines are about that are of no single address. */
    static final String CLUSTER = "cluster";

    private static final String USER = "user";
    private static final String CLIENT = "client";

    private final PreflightTarget target;
    private final boolean sendsTestMessage;
    private final Limits limits;
    private final Clock clock;
    private final ExecutorService threads;
    private final Findings findings;
    private final ClusterFacts facts = new ClusterFacts();
    private final HostNames hosts;
    private final List<ClusterMetadata> told = new ArrayList<>();
    private ClientTls tls;
    private String beforeTls;
    private String beforeLogin;

    /**
     * @param threads for the addresses
     * @param names for the name server, which may keep its threads
     */
    TargetCheck(
            PreflightTarget target,
            boolean sendsTestMessage,
            Limits limits,
            Clock clock,
            ExecutorService threads,
            ExecutorService names) {
        this.target = target;
        this.sendsTestMessage = sendsTestMessage;
        this.limits = limits;
        this.clock = clock;
        this.threads = threads;
        this.findings = new Findings(target);
        this.hosts = new HostNames(target, findings, names, limits.connect());
    }

    PreflightTarget target() {
        return target;
    }

    ClusterFacts facts() {
        return facts;
    }

    /** What was found so far. */
    Findings findings() {
        return findings;
    }

    /** Looks. Ends within the limits of its parts. */
    void look() {
        clientProperties();
        if (target.isTls()) {
            ownCertificate();
        }
        List<HostPort> bootstrap = HostPort.parseList(target.settings().bootstrapServers());
        Set<HostPort> usable = addresses(bootstrap);
        if (usable.isEmpty()) {
            skipCluster("no bootstrap address can be used");
            return;
        }
        askCluster(bootstrap, usable);
    }

    /** A line for each that is in doubt: what a client refuses is refused before a preflight. */
    private void clientProperties() {
        Set<String> names = target.settings().properties().keySet();
        for (String name : new TreeSet<>(names)) {
            ClientProperties.warning(names, name)
                    .ifPresent(
                            warning ->
                                    findings.add(
                                            name,
                                            Stage.CLIENT_PROPERTIES,
                                            Verdict.warn(
                                                    warning, "correct its name, or remove it")));
        }
    }

    private void ownCertificate() {
        Verdict verdict;
        if (target.storeFault() != null) {
            verdict = Verdict.fail(target.storeFault(), "correct the stores of the connection");
            beforeTls = Stage.OWN_CERTIFICATE.label() + " failed";
        } else {
            try {
                tls = ClientTls.of(target.settings());
                verdict =
                        OwnCertificate.verdict(
                                tls.ownCertificate(), target.hermes(), clock.instant());
                // The handshake still tells what there is to know of the broker.
                beforeLogin = verdict.failed() ? Stage.OWN_CERTIFICATE.label() + " failed" : null;
            } catch (IllegalArgumentException e) {
                verdict = Verdict.fail(e.getMessage(), "correct the ssl options of the connection");
                beforeTls = Stage.OWN_CERTIFICATE.label() + " failed";
            }
        }
        findings.add(CLIENT, Stage.OWN_CERTIFICATE, verdict);
    }

    /** Those where a broker answered. */
    private Set<HostPort> addresses(Collection<HostPort> all) {
        List<AddressCheck> checks = new ArrayList<>();
        List<Future<Boolean>> running = new ArrayList<>();
        List<HostPort> order = List.copyOf(all);
        for (HostPort address : order) {
            AddressCheck check = new AddressCheck(address, target, tls, limits, clock);
            List<InetAddress> resolved = hosts.addresses(address.host());
            checks.add(check);
            running.add(threads.submit(() -> check.look(resolved, beforeTls, beforeLogin)));
        }
        Set<HostPort> usable = new LinkedHashSet<>();
        for (int i = 0; i < order.size(); i++) {
            if (passed(running.get(i))) {
                usable.add(order.get(i));
                told.add(checks.get(i).metadata());
            }
            findings.addAll(checks.get(i).findings());
        }
        return usable;
    }

    private static boolean passed(Future<Boolean> running) {
        try {
            return running.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void askCluster(List<HostPort> bootstrap, Set<HostPort> usable) {
        ClusterMetadata metadata = told.stream().filter(Objects::nonNull).findFirst().orElse(null);
        try {
            if (metadata == null) {
                metadata = describe(usable);
            }
            facts.clusterId(metadata.clusterId());
            findings.add(CLUSTER, Stage.CLUSTER, cluster(metadata));
            Set<HostPort> reachable = advertised(metadata, bootstrap, usable);
            if (reachable.isEmpty()) {
                skipTopics("no advertised address can be used");
                return;
            }
            ConnectionSettings settings = settings(reachable);
            try (ClusterClient client = ClusterClient.open(settings, limits.cluster())) {
                topics(client, settings);
            }
        } catch (TokenException e) {
            findings.add(
                    USER,
                    Stage.AUTHENTICATION,
                    Verdict.fail(
                            e.getMessage(),
                            "correct what it names, or look at the token endpoint"));
            skipCluster(Stage.AUTHENTICATION.label() + " failed");
        } catch (AuthenticationException e) {
            findings.add(
                    target.isSasl() ? USER : CLIENT,
                    Stage.AUTHENTICATION,
                    Verdict.fail(
                            "refused: " + Causes.shortest(e),
                            target.isSasl()
                                    ? "correct "
                                            + (e instanceof UnsupportedSaslMechanismException
                                                    ? "sasl.mechanism"
                                                    : target.settings().loginOptions())
                                            + " of the connection"
                                    : "have a certificate issued by the authority that this cluster trusts"));
            skipCluster(Stage.AUTHENTICATION.label() + " failed");
        } catch (KafkaException | IllegalArgumentException e) {
            findings.add(
                    CLUSTER,
                    Stage.CLUSTER,
                    Verdict.fail(
                            e instanceof KafkaException said
                                    ? ClusterClient.said(said)
                                    : e.getMessage(),
                            "look at the brokers, at the addresses that they advertise, and at the client properties of the connection"));
            skipTopics(Stage.CLUSTER.label() + " failed");
        }
    }

    /** With a Kafka client, which knows how a user is proved. */
    private ClusterMetadata describe(Set<HostPort> usable) {
        try (ClusterClient client = ClusterClient.open(settings(usable), limits.cluster())) {
            DescribeClusterResult cluster = client.admin().describeCluster();
            Collection<Node> nodes = client.answer(cluster.nodes());
            String id = client.answer(cluster.clusterId());
            if (target.isSasl()) {
                findings.add(USER, Stage.AUTHENTICATION, Verdict.ok("accepted"));
            }
            return ClusterMetadata.of(id, nodes);
        }
    }

    /** With addresses that work only: a client would wait and log for the others. */
    private ConnectionSettings settings(Set<HostPort> usable) {
        ConnectionSettings given = target.settings();
        return new ConnectionSettings(
                given.cluster(),
                given.role(),
                HostPort.join(List.copyOf(usable)),
                given.groupId(),
                given.properties());
    }

    private Verdict cluster(ClusterMetadata metadata) {
        List<String> ids =
                told.stream()
                        .filter(Objects::nonNull)
                        .map(ClusterMetadata::clusterId)
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList();
        return ids.size() > 1
                ? Verdict.warn(
                        "the addresses lead to " + ids.size() + " clusters: " + ids,
                        "look again when a fail-over is over, or correct the addresses")
                : Verdict.ok(
                        "id " + metadata.clusterId() + ", brokers: " + metadata.addresses().size());
    }

    /** Addresses of the cluster that can be used. */
    private Set<HostPort> advertised(
            ClusterMetadata metadata, List<HostPort> bootstrap, Set<HostPort> usable) {
        List<HostPort> known = bootstrap.stream().map(HostPort::canonical).toList();
        Set<HostPort> found = new LinkedHashSet<>();
        for (AdvertisedAddress each : metadata.addresses()) {
            HostPort address = each.address();
            findings.add(address.toString(), Stage.ADVERTISED, each.verdict(target.hermes()));
            int index = known.indexOf(address.canonical());
            if (index < 0) {
                found.addAll(addresses(List.of(address)));
            } else if (usable.contains(bootstrap.get(index))) {
                found.add(address);
            }
        }
        return found;
    }

    private void topics(ClusterClient client, ConnectionSettings settings) {
        new TopicCheck(client, target, facts, findings, clock.instant()).look();
        GroupCheck groups = new GroupCheck(client, limits.group());
        target.groups().forEach(each -> findings.add(each, Stage.GROUP, groups.verdict(each)));
        if (sendsTestMessage && sendsThere()) {
            TestMessage message = new TestMessage(settings, limits.cluster());
            target.topics().stream()
                    .filter(TopicUse::writes)
                    .map(TopicUse::topic)
                    .filter(facts.partitions()::containsKey)
                    .forEach(
                            topic ->
                                    findings.add(
                                            topic,
                                            Stage.TEST_MESSAGE,
                                            message.send(topic, clock.instant())));
        }
    }

    /** The sides of Hermes are written to through the producer ports only. */
    private boolean sendsThere() {
        return switch (target.settings().role()) {
            case CUSTOMER, HERMES_PRODUCER -> true;
            case HERMES_A, HERMES_B -> false;
        };
    }

    private void skipCluster(String cause) {
        findings.add(CLUSTER, Stage.CLUSTER, Verdict.skipped(cause));
        skipTopics(cause);
    }

    private void skipTopics(String cause) {
        for (TopicUse use : target.topics()) {
            for (Stage stage : List.of(Stage.TOPIC, Stage.SETTINGS, Stage.RIGHTS)) {
                findings.add(use.topic(), stage, Verdict.skipped(cause));
            }
        }
        for (String group : target.groups()) {
            findings.add(group, Stage.GROUP, Verdict.skipped(cause));
        }
    }
}
