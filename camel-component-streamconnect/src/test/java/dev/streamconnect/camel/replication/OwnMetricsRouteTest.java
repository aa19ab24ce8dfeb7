package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.metrics.HandCountedLink;
import dev.streamconnect.spi.MetricsRecord;
import java.time.Duration;
import java.util.List;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OwnMetricsRouteTest extends ReplicationTestSupport {

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none");
    }

    @Override
    protected Boolean metricsRoute() {
        return true;
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate(BuiltRoutes.METRICS_ROUTE)
                        .templateParameter("interval")
                        .from("direct:go")
                        .to("replication:*?operation=metrics&reader=mine")
                        .to("mock:windows");
            }
        };
    }

    @Test
    @DisplayName("a template replication-metrics of the user takes the place of the shipped one")
    void ownTemplate() throws Exception {
        assertThat(context.getRoute(BuiltRoutes.METRICS_ROUTE).getEndpoint().getEndpointUri())
                .isEqualTo("direct://go");
        assertThat(context.getComponentNames()).doesNotContain("quartz");
        HandCountedLink orders = HandCountedLink.toServiceNow("orders-to-sn");
        ContextEngine.of(context).engine().metrics().opened(orders);
        orders.counters().moved(3, 3);
        engine.clock.move(Duration.ofSeconds(60));
        engine.metrics.tick();
        MockEndpoint mock = getMockEndpoint("mock:windows");
        mock.expectedMessageCount(2);
        template.sendBody("direct:go", null);
        template.sendBody("direct:go", null);
        assertMocks();
        List<?> first = mock.getExchanges().get(0).getMessage().getBody(List.class);
        assertThat(first)
                .map(MetricsRecord.class::cast)
                .extracting(MetricsRecord::messageCount)
                .containsExactly(3L);
        assertThat(mock.getExchanges().get(1).getMessage().getBody(List.class)).isEmpty();
    }
}
