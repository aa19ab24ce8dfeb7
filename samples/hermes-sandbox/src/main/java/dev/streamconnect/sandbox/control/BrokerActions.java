package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxBroker;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Stops, starts and restarts single brokers, also at other public ports. Each answers when the
 * broker is down or serves again.
 */
final class BrokerActions {

    /** A role of Hermes has 51 ports. */
    private static final int HIGHEST_INDEX = 50;

    /** What is free above the local Kafka's port where free ports are taken. */
    private static final int HIGHEST_LOCAL_INDEX = 9;

    private final LocalHermes hermes;

    BrokerActions(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        actions.put("/broker/stop", Action.post(this::stop, "cluster", "index"));
        actions.put("/broker/start", Action.post(this::start, "cluster", "index"));
        actions.put("/broker/restart", Action.post(this::restart, "cluster", "index", "advertise"));
    }

    private Object stop(Parameters parameters) {
        SandboxBroker broker = broker(parameters);
        broker.stop();
        return answer(broker);
    }

    private Object start(Parameters parameters) {
        SandboxBroker broker = broker(parameters);
        broker.start();
        return answer(broker);
    }

    private Object restart(Parameters parameters) {
        SandboxBroker broker = broker(parameters);
        OptionalInt advertise = parameters.optionalNumber("advertise");
        if (advertise.isPresent()) {
            boolean local = broker.plan().cluster() == ClusterName.LOCAL;
            int highest = local ? HIGHEST_LOCAL_INDEX : HIGHEST_INDEX;
            hermes.addresses().move(broker, (int) parameters.number("advertise", 0, 0, highest));
        }
        broker.stop();
        broker.start();
        return answer(broker);
    }

    private SandboxBroker broker(Parameters parameters) {
        ClusterName name = parameters.choice("cluster", ClusterName.class, null);
        List<SandboxBroker> brokers = hermes.cluster(name).brokers();
        return brokers.get((int) parameters.number("index", 0, 0, brokers.size() - 1L));
    }

    private static Map<String, Object> answer(SandboxBroker broker) {
        return Map.of("broker", broker.plan().name(), "running", broker.isRunning());
    }
}
