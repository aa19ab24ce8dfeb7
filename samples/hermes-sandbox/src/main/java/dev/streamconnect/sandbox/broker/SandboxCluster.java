package dev.streamconnect.sandbox.broker;

import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** One cluster and its administration client. */
public final class SandboxCluster implements AutoCloseable {

    private final ClusterName name;
    private final String id;
    private final List<SandboxBroker> brokers;
    private Admin admin;

    /**
     * @param plans the brokers' plans, at least one, all of one cluster
     */
    public SandboxCluster(List<BrokerPlan> plans, ServerTls tls) {
        this.name = plans.get(0).cluster();
        this.id = plans.get(0).clusterId();
        this.brokers = plans.stream().map(plan -> new SandboxBroker(plan, tls)).toList();
    }

    public ClusterName name() {
        return name;
    }

    /** Kafka's cluster id. */
    public String id() {
        return id;
    }

    public List<SandboxBroker> brokers() {
        return brokers;
    }

    /** Bootstrap servers of the plain listeners that skip the ACLs. */
    public String internalBootstrap() {
        return brokers.stream()
                .map(broker -> "127.0.0.1:" + broker.plan().internalPort())
                .collect(Collectors.joining(","));
    }

    /** Formats and starts all brokers side by side; returns when all of them serve. */
    public void start() throws Exception {
        for (SandboxBroker broker : brokers) {
            Files.createDirectories(broker.plan().folder());
            broker.format();
        }
        inParallel(brokers.stream().<Runnable>map(broker -> broker::start).toList());
    }

    /** The administration client, made at the first call. Its calls end within 15 s. */
    public synchronized Admin admin() {
        if (admin == null) {
            admin =
                    Admin.create(
                            Map.of(
                                    "bootstrap.servers",
                                    internalBootstrap(),
                                    "client.id",
                                    "sandbox-" + name,
                                    "request.timeout.ms",
                                    "10000",
                                    "default.api.timeout.ms",
                                    "15000"));
        }
        return admin;
    }

    /** Stops all brokers, the controller last. */
    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
        for (int i = brokers.size() - 1; i >= 0; i--) {
            brokers.get(i).stop();
        }
    }

    /** Runs all tasks at once and waits for them; the first failure is thrown. */
    public static void inParallel(List<Runnable> tasks) throws Exception {
        ExecutorService executor =
                Executors.newFixedThreadPool(
                        tasks.size(),
                        task -> {
                            Thread thread = new Thread(task, "sandbox-cluster");
                            thread.setDaemon(true);
                            return thread;
                        });
        try {
            List<Future<?>> started = new ArrayList<>();
            tasks.forEach(task -> started.add(executor.submit(task)));
            for (Future<?> future : started) {
                future.get();
            }
        } finally {
            executor.shutdown();
        }
    }
}
