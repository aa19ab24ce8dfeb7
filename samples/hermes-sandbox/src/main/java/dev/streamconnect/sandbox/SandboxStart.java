package dev.streamconnect.sandbox;

import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.Rights;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.broker.ServerTls;
import dev.streamconnect.sandbox.client.Bootstrap;
import dev.streamconnect.sandbox.client.ClientFiles;
import dev.streamconnect.sandbox.client.SandboxCertificates;
import dev.streamconnect.sandbox.control.ControlServer;
import dev.streamconnect.sandbox.gateway.Gateway;
import dev.streamconnect.sandbox.gateway.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the parts in order and stops them in the opposite one, also after a start that failed. */
final class SandboxStart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SandboxStart.class);
    private static final int START_SECONDS = 90;

    private final SandboxOptions options;
    private final SandboxFolder folder;
    private final Deque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
    private final Clock clock = Clock.systemUTC();

    SandboxStart(SandboxOptions options, SandboxFolder folder) {
        this.options = options;
        this.folder = folder;
    }

    /** Starts everything; returns when clients can connect and {@code sandbox.json} is written. */
    SandboxDescription start() throws Exception {
        PublicPorts ports = PublicPorts.bind(options);
        Gateway gateway = started(ports.gateway());
        Bootstrap bootstrap =
                new Bootstrap(
                        options.instance,
                        ports.bootstrap(Role.PRODUCER),
                        ports.bootstrap(Role.CONSUMER_A),
                        ports.bootstrap(Role.CONSUMER_B),
                        ports.bootstrap(Role.LOCAL));
        ControlServer control = started(ControlServer.bind(controlPort()));

        String password = folder.password();
        SandboxCertificates certificates = new SandboxCertificates(options.instance, clock);
        ServerFiles server = serverFiles(certificates, password);
        Map<ClusterName, SandboxCluster> clusters = startClusters(ports, server.tls());
        PublicAddresses addresses = new PublicAddresses(ports, gateway, clusters);
        addresses.open();
        ClientFiles files = new ClientFiles(password, bootstrap);
        writeClient(certificates, files, clusters, password);

        LocalHermes hermes =
                new LocalHermes(
                        folder.root(),
                        bootstrap,
                        clusters,
                        gateway,
                        addresses,
                        certificates,
                        files,
                        new PartitionLimits(options.maxTopicPartitions, options.maxPartitions),
                        server);
        control.start(hermes);
        SandboxDescription description =
                SandboxDescription.of(options, folder, hermes, control.port());
        description.write(folder.description());
        return description;
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                LOG.warn("a part could not be stopped", e);
            }
        }
    }

    private int controlPort() {
        return options.freePorts ? 0 : options.controlPort;
    }

    private <T extends AutoCloseable> T started(T part) {
        started.push(part);
        return part;
    }

    private ServerFiles serverFiles(SandboxCertificates certificates, String password)
            throws Exception {
        Files.createDirectories(folder.brokers());
        ServerFiles files =
                new ServerFiles(folder.brokers(), password, certificates, options.serverNames);
        files.write(certificates.authority(), List.of(certificates.authority().certificate()));
        return files;
    }

    private Map<ClusterName, SandboxCluster> startClusters(PublicPorts ports, ServerTls tls)
            throws Exception {
        PrivatePorts privatePorts = new PrivatePorts();
        BrokerPlans plans = new BrokerPlans(options, ports, privatePorts, folder.brokers());
        Map<ClusterName, SandboxCluster> clusters = new EnumMap<>(ClusterName.class);
        List<Runnable> starts = new ArrayList<>();
        for (ClusterName name : ClusterName.values()) {
            SandboxCluster cluster = started(new SandboxCluster(plans.of(name), tls));
            clusters.put(name, cluster);
            starts.add(() -> start(cluster));
        }
        privatePorts.release();
        FutureTask<Void> all =
                new FutureTask<>(
                        () -> {
                            SandboxCluster.inParallel(starts);
                            return null;
                        });
        Thread thread = new Thread(all, "sandbox-start");
        thread.setDaemon(true);
        thread.start();
        try {
            all.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            LOG.error("the brokers did not start", e);
            throw new SandboxException(
                    "the brokers did not start: %s; see %s"
                            .formatted(
                                    folder.firstError().orElse("no answer in 90 s"), folder.log()));
        }
        return clusters;
    }

    private static void start(SandboxCluster cluster) {
        try {
            cluster.start();
        } catch (Exception e) {
            throw new IllegalStateException("cluster " + cluster.name() + " did not start", e);
        }
    }

    private void writeClient(
            SandboxCertificates certificates,
            ClientFiles files,
            Map<ClusterName, SandboxCluster> clusters,
            String password)
            throws Exception {
        Path root = folder.root();
        certificates.authority().save(root.resolve("ca.p12"), password.toCharArray());
        files.write(
                root,
                certificates
                        .authority()
                        .issueClient(
                                HermesSubject.client(options.client, options.instance),
                                Validity.of(
                                        clock.instant(), LocalCertificateIssuer.DEFAULT_LIFETIME)),
                List.of(certificates.authority().certificate()));
        var acls = Rights.parse("default", options.client, options.instance);
        for (ClusterName side : List.of(ClusterName.A, ClusterName.B)) {
            clusters.get(side).admin().createAcls(acls).all().get();
        }
    }
}
