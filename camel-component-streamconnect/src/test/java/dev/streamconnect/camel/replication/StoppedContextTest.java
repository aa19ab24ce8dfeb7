package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.camel.CamelContext;
import org.apache.camel.health.HealthCheck;
import org.apache.camel.health.HealthCheckRegistry;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the engine itself, and brokers that are not there; TwiceInOneJvmIT has some. */
@DisplayName("A context that was stopped")
class StoppedContextTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path folder;

    private CamelContext started(MeterRegistry meters) throws Exception {
        Path records =
                Files.writeString(
                        folder.resolve("replications.yaml"),
                        """
                        version: 1
                        connections:
                          - id: plant
                            bootstrapServers: localhost:4
                        messageReplications:
                          - name: plant
                            connection: plant
                            topicReplications:
                              - { id: up, direction: toServiceNow, topicName: up, serviceNowTopic: up }
                              - { id: down, direction: fromServiceNow, topicName: down, serviceNowTopic: down }
                        """);
        DefaultCamelContext context = new DefaultCamelContext();
        context.getRegistry().bind("metricsRegistry", MeterRegistry.class, meters);
        HermesComponent hermes = context.getComponent("hermes", HermesComponent.class);
        HermesConfiguration options = hermes.getConfiguration();
        options.setInstance("acme");
        options.setAnyPorts(true);
        options.setProducerBootstrapServers("localhost:1");
        options.setConsumerABootstrapServers("localhost:2");
        options.setConsumerBBootstrapServers("localhost:3");
        options.getProducerProperties().put("security.protocol", "PLAINTEXT");
        options.getConsumerProperties().put("security.protocol", "PLAINTEXT");
        ReplicationComponent replication =
                context.getComponent("replication", ReplicationComponent.class);
        replication.setRecords("file:" + records);
        replication.setUndeliveredUrl(folder.resolve("undelivered").toString());
        context.start();
        // Built ones are there when the start returns.
        assertThat(context.getRoute("up")).isNotNull();
        assertThat(context.getRoute("down")).isNotNull();
        return context;
    }

    private static Set<ObjectName> beans() {
        return ManagementFactory.getPlatformMBeanServer().queryNames(null, null);
    }

    /** What may be of a context, by its name. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(
                        thread ->
                                thread.getName()
                                        .matches(
                                                "(?i).*(stream-?connect|kafka|h2|hikari|quartz|camel).*"))
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("leaves no thread, bean and meter, twice")
    void leavesNothing() throws Exception {
        MeterRegistry meters = new SimpleMeterRegistry();
        Set<ObjectName> beans = beans();
        Set<Thread> threads = threads();
        for (int round = 0; round < 2; round++) {
            CamelContext context = started(meters);
            assertThat(beans()).hasSizeGreaterThan(beans.size());
            assertThat(meters.getMeters()).isNotEmpty();
            context.stop();
            await().atMost(LIMIT)
                    .pollInSameThread()
                    .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
            assertThat(beans()).isSubsetOf(beans);
            assertThat(meters.getMeters()).isEmpty();
        }
    }

    @Test
    @DisplayName("is not brought to life again by a look at it")
    void lookedAt() throws Exception {
        Set<Thread> threads = threads();
        CamelContext context = started(new SimpleMeterRegistry());
        HealthCheck check =
                HealthCheckRegistry.get(context).getCheck("streamconnect").orElseThrow();
        context.stop();
        assertThat(check.call().getState()).isEqualTo(HealthCheck.State.DOWN);
        await().atMost(LIMIT)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
    }

    @Test
    @DisplayName("fails to start again, as Camel has it, and leaves nothing of the attempt")
    void startedAgain() throws Exception {
        Set<Thread> threads = threads();
        CamelContext context = started(new SimpleMeterRegistry());
        context.stop();
        assertThatThrownBy(context::start).isInstanceOf(Exception.class);
        context.stop();
        await().atMost(LIMIT)
                .pollInSameThread()
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
    }
}
