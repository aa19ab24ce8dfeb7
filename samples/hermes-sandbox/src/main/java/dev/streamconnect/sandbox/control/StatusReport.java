package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxBroker;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.gateway.GatewayPort;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The state of ports and brokers. */
final class StatusReport {

    private final LocalHermes hermes;

    StatusReport(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        actions.put("/status", Action.get(parameters -> report()));
    }

    private Map<String, Object> report() {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("instance", hermes.bootstrap().instance());
        report.put("near", hermes.nearSide().near());
        Map<String, Object> clusters = new LinkedHashMap<>();
        for (ClusterName name : ClusterName.values()) {
            clusters.put(name.name(), cluster(hermes.cluster(name)));
        }
        report.put("clusters", clusters);
        report.put("ports", hermes.gateway().ports().stream().map(StatusReport::port).toList());
        return report;
    }

    private static Map<String, Object> cluster(SandboxCluster cluster) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("id", cluster.id());
        report.put("internalBootstrap", cluster.internalBootstrap());
        List<Boolean> running = cluster.brokers().stream().map(SandboxBroker::isRunning).toList();
        report.put("running", running);
        return report;
    }

    private static Map<String, Object> port(GatewayPort port) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("role", port.role().word());
        report.put("index", port.index());
        report.put("port", port.port());
        report.put("target", port.target().name());
        report.put("mode", port.mode());
        report.put("delayMillis", port.delayMillis());
        report.put("connections", port.flows());
        report.put("deadConnections", port.deadFlows());
        return report;
    }
}
