package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.CapturedLogs;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("case-R2")
@DisplayName("Where another component stands in for hermes")
class WithoutHermesTest {

    @Test
    @DisplayName("routes start, nothing is copied, and one line says so")
    void starts() throws Exception {
        try (CapturedLogs logs = new CapturedLogs("dev.streamconnect", Level.WARN);
                DefaultCamelContext context = new DefaultCamelContext()) {
            context.addComponent("hermes", new MockComponent());
            ReplicationComponent component =
                    context.getComponent("replication", ReplicationComponent.class);
            component.setRecords("file:not-read.yaml");
            context.addRoutes(
                    new RouteBuilder() {
                        @Override
                        public void configure() {
                            from("replication:mine").to("replication:mine");
                            from("direct:in").to("replication:mine");
                            from("direct:states").to("replication:*?operation=status&json=true");
                        }
                    });
            context.start();
            context.createProducerTemplate().sendBody("direct:in", "a");
            assertThat(
                            context.createProducerTemplate()
                                    .requestBody("direct:states", null, String.class))
                    .isEqualTo("[]");
            assertThat(context.getRoutes()).hasSize(3);
            assertThat(logs.lines())
                    .containsExactly(
                            "the component hermes is a stub here: no topic replication is copied");
        }
    }
}
