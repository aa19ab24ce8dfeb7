package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.HermesPorts;
import dev.streamconnect.cluster.Role;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Sides to look at, and limits for ports that say nothing. */
final class Targets {

    /** Short where a test waits for them, and long enough for a slow machine where it does not. */
    static final Limits PATIENT =
            new Limits(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(300));

    static final Limits SHORT =
            new Limits(
                    Duration.ofMillis(1_000),
                    Duration.ofMillis(1_000),
                    Duration.ofMillis(1_000),
                    Duration.ofMillis(1_000),
                    Duration.ofSeconds(60));

    private Targets() {}

    static PreflightTarget customer(String servers, Map<String, Object> properties) {
        return new PreflightTarget(
                new ConnectionSettings("plant", ClientRole.CUSTOMER, servers, null, properties),
                null,
                null,
                List.of(),
                List.of());
    }

    static HermesRules rules(Role role, boolean otherAllowed) {
        return new HermesRules(
                HermesInstance.of("acme"), HermesPorts.STANDARD, role, otherAllowed, 32, 960);
    }

    static PreflightTarget hermes(ClientRole role, String servers) {
        return new PreflightTarget(
                new ConnectionSettings(
                        "hermes", role, servers, null, Map.of("security.protocol", "PLAINTEXT")),
                rules(Role.PRODUCER, false),
                null,
                List.of(),
                List.of());
    }
}
