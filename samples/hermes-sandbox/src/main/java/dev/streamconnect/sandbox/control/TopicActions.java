package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.broker.Topics;
import java.util.List;
import java.util.Map;

/** Creates, grows, changes and deletes topics on one or both sides. Names are full names. */
final class TopicActions {

    private static final int MOST_PARTITIONS = 1_000;

    private final LocalHermes hermes;

    TopicActions(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        String[] partitions = {"name", "sides", "partitions", "partitionsA", "partitionsB"};
        actions.put(
                "/topics/create",
                Action.post(
                        this::create,
                        "name",
                        "sides",
                        "partitions",
                        "partitionsA",
                        "partitionsB",
                        "config"));
        actions.put("/topics/grow", Action.post(this::grow, partitions));
        actions.put("/topics/delete", Action.post(this::delete, "name", "sides"));
        actions.put("/topics/config", Action.post(this::configure, "name", "sides", "config"));
    }

    private Object create(Parameters parameters) throws Exception {
        String name = parameters.required("name");
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            check(name, partitions(parameters, cluster), cluster);
        }
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            new Topics(cluster)
                    .create(name, partitions(parameters, cluster), parameters.map("config"));
        }
        return Map.of("topic", name);
    }

    private Object grow(Parameters parameters) throws Exception {
        String name = parameters.required("name");
        List<SandboxCluster> asked =
                Sides.of(hermes, parameters).stream()
                        .filter(cluster -> hasNumber(parameters, cluster.name()))
                        .toList();
        if (asked.isEmpty()) {
            throw new SandboxException("parameter 'partitions' is missing");
        }
        for (SandboxCluster cluster : asked) {
            check(name, partitions(parameters, cluster), cluster);
        }
        for (SandboxCluster cluster : asked) {
            new Topics(cluster).grow(name, partitions(parameters, cluster));
        }
        return Map.of("topic", name);
    }

    private void check(String name, int partitions, SandboxCluster cluster) throws Exception {
        if (cluster.name() != ClusterName.LOCAL) {
            int ofOthers = new Topics(cluster).partitionsBeside(name);
            hermes.partitionLimits().check(name, partitions, ofOthers);
        }
    }

    private Object delete(Parameters parameters) throws Exception {
        String name = parameters.required("name");
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            new Topics(cluster).delete(name);
        }
        return Map.of("topic", name);
    }

    private Object configure(Parameters parameters) throws Exception {
        String name = parameters.required("name");
        Map<String, String> config = parameters.map("config");
        if (config.isEmpty()) {
            throw new SandboxException("parameter 'config' is missing");
        }
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            new Topics(cluster).configure(name, config);
        }
        return Map.of("topic", name);
    }

    /** A side that has no number of its own, nor one for both, stays as it is. */
    static boolean hasNumber(Parameters parameters, ClusterName side) {
        return parameters.optional("partitions").isPresent()
                || side != ClusterName.LOCAL
                        && parameters.optional("partitions" + side).isPresent();
    }

    private static int partitions(Parameters parameters, SandboxCluster cluster) {
        long both = parameters.number("partitions", 1, 1, MOST_PARTITIONS);
        if (cluster.name() == ClusterName.LOCAL) {
            return (int) both;
        }
        return (int) parameters.number("partitions" + cluster.name(), both, 1, MOST_PARTITIONS);
    }
}
