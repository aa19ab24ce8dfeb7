package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Listener;
import dev.streamconnect.benchmark.contender.ContenderKind;
import java.util.List;
import java.util.Map;

/**
 * What is measured, and of whom.
 *
 * @param name for options and results
 * @param group several workloads that are asked for together
 * @param description one line
 * @param latency true: time on the way at a small rate; false: the rate
 * @param traffic what is replicated
 * @param toHermes true: with the client settings toward Hermes; false: those toward the customer's
 * @param listener how Hermes is reached: the destination with {@code toHermes}, else the source
 * @param contenders who takes part
 * @param repeated true: as often as asked for; false: once
 * @param options of Camel components, without {@code camel.component.}
 * @param stored what waits in the undelivered store at the start
 */
record Workload(
        String name,
        String group,
        String description,
        boolean latency,
        Traffic traffic,
        boolean toHermes,
        Listener listener,
        List<ContenderKind> contenders,
        boolean repeated,
        Map<String, String> options,
        StoredAtStart stored) {

    Workload {
        contenders = List.copyOf(contenders);
        options = Map.copyOf(options);
    }

    static Workload toHermes(
            String name,
            String group,
            String description,
            Traffic traffic,
            List<ContenderKind> contenders) {
        return new Workload(
                name,
                group,
                description,
                false,
                traffic,
                true,
                Listener.PLAIN,
                contenders,
                false,
                Map.of(),
                StoredAtStart.NOTHING);
    }

    Workload over(Listener other) {
        return new Workload(
                name,
                group,
                description,
                latency,
                traffic,
                toHermes,
                other,
                contenders,
                repeated,
                options,
                stored);
    }

    Workload fromHermes() {
        return new Workload(
                name,
                group,
                description,
                latency,
                traffic,
                false,
                listener,
                contenders,
                repeated,
                options,
                stored);
    }

    Workload asLatency() {
        return new Workload(
                name,
                group,
                description,
                true,
                traffic,
                toHermes,
                listener,
                contenders,
                repeated,
                options,
                stored);
    }

    Workload often() {
        return new Workload(
                name,
                group,
                description,
                latency,
                traffic,
                toHermes,
                listener,
                contenders,
                true,
                options,
                stored);
    }

    Workload with(Map<String, String> more) {
        return new Workload(
                name,
                group,
                description,
                latency,
                traffic,
                toHermes,
                listener,
                contenders,
                repeated,
                more,
                stored);
    }

    Workload with(StoredAtStart rows) {
        return new Workload(
                name,
                group,
                description,
                latency,
                traffic,
                toHermes,
                listener,
                contenders,
                repeated,
                options,
                rows);
    }
}
