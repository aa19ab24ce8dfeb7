package dev.streamconnect.sandbox.broker;

import dev.streamconnect.sandbox.gateway.Target;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * One broker. Start, stop and restart keep its data and its node id, and its ports unless {@link
 * #advertise} says otherwise.
 */
public final class SandboxBroker {

    private final ServerTls tls;
    private volatile BrokerPlan plan;
    private KafkaRaftServer server;

    SandboxBroker(BrokerPlan plan, ServerTls tls) {
        this.plan = plan;
        this.tls = tls;
    }

    public BrokerPlan plan() {
        return plan;
    }

    /** Where the gateway finds one of the broker's listeners. */
    public Target target(String listener) {
        return new Target(
                plan.name(), new InetSocketAddress("127.0.0.1", plan.listener(listener).port()));
    }

    public synchronized boolean isRunning() {
        return server != null;
    }

    /** Prepares the empty data folder; once, before the first start. */
    void format() throws Exception {
        Formatter formatter = new Formatter();
        formatter.setClusterId(plan.clusterId());
        formatter.setNodeId(plan.nodeId());
        formatter.setControllerListenerName("CONTROLLER");
        formatter.setMetadataLogDirectory(plan.folder().toString());
        formatter.addDirectory(plan.folder().toString());
        formatter.setIgnoreFormatted(true);
        formatter.setPrintStream(new PrintStream(OutputStream.nullOutputStream()));
        formatter.run();
    }

    /** Starts a stopped broker and returns when it serves; does nothing if it runs. */
    public synchronized void start() {
        if (server == null) {
            KafkaRaftServer starting =
                    new KafkaRaftServer(
                            KafkaConfig.fromProps(BrokerProperties.of(plan, tls)), Time.SYSTEM);
            try {
                starting.startup();
                server = starting;
            } finally {
                if (server == null) {
                    starting.shutdown();
                }
            }
        }
    }

    /**
     * Other public ports, told to clients from the next start on.
     *
     * @param ports of each listener, by its name
     */
    public synchronized void advertise(Map<String, Integer> ports) {
        plan = plan.advertising(ports);
    }

    /** Stops a running broker in order; does nothing if it is stopped. */
    public synchronized void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }
}
