package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Without a keystore, but with the authority of the sandbox")
class DevelopmentCertificateIT {

    @TempDir Path folder;

    @Test
    @DisplayName("the component makes its own certificate and stores and replicates with them")
    void ownStores() throws Exception {
        Sandbox sandbox = Sandbox.shared();
        String topic = "own-stores";
        sandbox.topics().create(Sandbox.Side.LOCAL, topic, 1, java.util.Map.of());
        sandbox.topics().create(sandbox.topicName(topic), 1);
        Path stores = folder.resolve("stores");
        ReplicatorSettings settings =
                new ReplicatorSettings(sandbox, topic)
                        .replicate(topic)
                        .without("camel.component.hermes.keystore")
                        .without("camel.component.hermes.truststore")
                        .set(
                                "camel.component.hermes.developmentAuthority",
                                sandbox.file("ca.p12").toString())
                        .set("camel.component.hermes.developmentStores", stores.toString())
                        .set("camel.component.hermes.developmentClient", sandbox.client());
        try (Traffic traffic = new Traffic(sandbox, topic, 5);
                Replicator replicator = Replicator.start(settings, folder)) {
            traffic.send(50, 1000);
            replicator.awaitMessages(topic, 50, Duration.ofSeconds(30));
        }
        assertThat(Files.list(stores).map(file -> file.getFileName().toString()))
                .containsExactlyInAnyOrder("keystore.p12", "truststore.p12");
    }
}
