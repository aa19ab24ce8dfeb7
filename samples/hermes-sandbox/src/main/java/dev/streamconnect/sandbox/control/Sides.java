package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import java.util.List;
import java.util.Locale;

/**
 * Which clusters a request means: {@code sides=AB} (the default), {@code A}, {@code B} or {@code
 * LOCAL}.
 */
final class Sides {

    private Sides() {}

    static List<SandboxCluster> of(LocalHermes hermes, Parameters parameters) {
        String sides = parameters.optional("sides").orElse("AB");
        List<ClusterName> names =
                switch (sides.toUpperCase(Locale.ROOT)) {
                    case "AB" -> List.of(ClusterName.A, ClusterName.B);
                    case "A" -> List.of(ClusterName.A);
                    case "B" -> List.of(ClusterName.B);
                    case "LOCAL" -> List.of(ClusterName.LOCAL);
                    default ->
                            throw new SandboxException(
                                    "sides is '" + sides + "', expected one of AB, A, B, LOCAL");
                };
        return names.stream().map(hermes::cluster).toList();
    }
}
