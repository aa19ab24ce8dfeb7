package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.camel.EngineFactory;
import dev.streamconnect.camel.RecordingEngine;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.record.RecordsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.main.Main;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordsOptionTest {

    private static final String RECORDS =
            """
            version: 1
            connections:
              - { id: plant, bootstrapServers: "{{plant.servers}}" }
            messageReplications:
              - name: plant
                connection: plant
                active: true
                topicReplications:
                  - { id: o, direction: toServiceNow, topicName: o, serviceNowTopic: o, active: true }
            """;

    @TempDir private Path folder;

    private final RecordingEngine engine = new RecordingEngine();

    @Test
    @DisplayName("a missing file is one error that names the option and the path")
    void missingFile() throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getComponent("replication", ReplicationComponent.class)
                    .setRecords("file:" + folder.resolve("none.yaml"));
            assertThatThrownBy(context::start)
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasStackTraceContaining("camel.component.replication.records: there is no '")
                    .hasStackTraceContaining("none.yaml");
        }
    }

    @Test
    @DisplayName("all faults of the records are listed at the start, without a stack of their own")
    void listsFaults() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("r.yaml"),
                        RECORDS.replace("active: true\n    t", "actve: true\n    t")
                                .replace("plant\n    active", "none\n    active"));
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getPropertiesComponent().addInitialProperty("plant.servers", "localhost:1");
            context.getComponent("replication", ReplicationComponent.class)
                    .setRecords(file.toString());
            assertThatThrownBy(context::start)
                    .hasRootCauseInstanceOf(RecordsException.class)
                    .hasStackTraceContaining(" in the replication records:");
        }
    }

    @Test
    @DisplayName("with camel-main, properties alone build and start the routes")
    void camelMain() throws Exception {
        Path file = Files.writeString(folder.resolve("r.yaml"), RECORDS);
        Main main = new Main();
        main.configure().withAutoConfigurationLogSummary(false);
        main.addInitialProperty("camel.component.replication.records", "file:" + file);
        main.addInitialProperty("camel.component.replication.commitInterval", "2s");
        main.addInitialProperty("camel.component.replication.debug", "true");
        main.addInitialProperty("camel.component.hermes.instance", "acme");
        main.addInitialProperty(
                "camel.component.hermes.producerProperties[security.protocol]", "PLAINTEXT");
        main.addInitialProperty(
                "camel.component.hermes.consumerProperties[security.protocol]", "PLAINTEXT");
        main.addInitialProperty("plant.servers", "broker:9092");
        main.bind("engine", (EngineFactory) settings -> engine);
        main.start();
        try {
            assertThat(engine.links).containsOnlyKeys("o");
            assertThat(engine.links.get("o").definition.sources().get(0).bootstrapServers())
                    .isEqualTo("broker:9092");
            assertThat(engine.links.get("o").definition.options().commitInterval()).hasSeconds(2);
            assertThat(engine.links.get("o").definition.options().debug()).isTrue();
            assertThat(main.getCamelContext().getRoute("o")).isNotNull();
        } finally {
            main.stop();
        }
        assertThat(engine.closed).isTrue();
        assertThat(engine.links.get("o").closed).isTrue();
    }

    @Test
    @DisplayName("a component added to a running context builds its routes at once")
    void runningContext() throws Exception {
        Path file = Files.writeString(folder.resolve("r.yaml"), RECORDS);
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getRegistry()
                    .bind("engine", EngineFactory.class, (EngineFactory) settings -> engine);
            context.getPropertiesComponent().addInitialProperty("plant.servers", "broker:9092");
            context.start();
            var hermes = context.getComponent("hermes", HermesComponent.class).getConfiguration();
            hermes.setInstance("acme");
            hermes.getProducerProperties().put("security.protocol", "PLAINTEXT");
            hermes.getConsumerProperties().put("security.protocol", "PLAINTEXT");
            ReplicationComponent component = new ReplicationComponent(context);
            component.setRecords(file.toString());
            context.addComponent("replication", component);

            assertThat(context.getRoute("o")).isNotNull();
            assertThat(context.getRouteController().getRouteStatus("o").isStarted()).isTrue();
        }
    }
}
