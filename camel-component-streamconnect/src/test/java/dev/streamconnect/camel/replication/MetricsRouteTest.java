package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.metrics.HandCountedLink;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.component.quartz.QuartzComponent;
import org.apache.camel.component.quartz.QuartzEndpoint;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.quartz.SimpleTrigger;
import org.quartz.spi.OperableTrigger;

@DisplayName("The route replication-metrics")
class MetricsRouteTest extends ReplicationTestSupport {

    private final CapturedLogs logs = new CapturedLogs("dev.streamconnect.metrics", Level.INFO);

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none");
    }

    @Override
    protected Boolean metricsRoute() {
        return null;
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getComponent("replication", ReplicationComponent.class).setMetricsInterval(200);
    }

    @Test
    @DisplayName("is built once where camel-quartz is, and logs each window as one line")
    void logs() throws Exception {
        assertThat(context.getRoute(BuiltRoutes.METRICS_ROUTE)).isNotNull();
        context.getComponent("replication", ReplicationComponent.class).reconcile();
        assertThat(context.getRoutes()).hasSize(1);
        HandCountedLink orders = HandCountedLink.toServiceNow("orders-to-sn");
        ContextEngine.of(context).engine().metrics().opened(orders);
        for (int i = 1; i <= 3; i++) {
            orders.counters().moved(i, i);
            engine.clock.move(Duration.ofMillis(200));
            engine.metrics.tick();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> lines().size() >= 3);
        assertThat(lines())
                .hasSize(3)
                .allMatch(line -> line.contains("orders-to-sn (To ServiceNow, "))
                .extracting(line -> line.replaceAll(".*: (\\d+) messages.*", "$1"))
                .containsExactly("1", "2", "3");
    }

    @Test
    @DisplayName("is stopped when the last windows are closed: they are logged in its place, once")
    void lastWindows() throws Exception {
        HandCountedLink orders = HandCountedLink.toServiceNow("orders-to-sn");
        ContextEngine.of(context).engine().metrics().opened(orders);
        orders.counters().moved(1, 1);
        engine.clock.move(Duration.ofMillis(200));
        engine.metrics.tick();
        await().atMost(Duration.ofSeconds(30)).until(() -> lines().size() == 1);
        context.getRouteController().stopAllRoutes();
        orders.counters().moved(7, 7);
        engine.clock.move(Duration.ofMillis(50));
        ContextEngine.of(context).engine().metrics().ended(orders);
        context.stop();
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).contains(": 7 messages, ");
    }

    private List<String> lines() {
        return logs.lines().stream().filter(line -> line.contains(" messages, ")).toList();
    }

    @Test
    @DisplayName("runs once for all firings that were missed")
    void missedFirings() throws Exception {
        QuartzEndpoint endpoint =
                (QuartzEndpoint) context.getRoute(BuiltRoutes.METRICS_ROUTE).getEndpoint();
        Scheduler scheduler = context.getComponent("quartz", QuartzComponent.class).getScheduler();
        SimpleTrigger trigger = (SimpleTrigger) scheduler.getTrigger(endpoint.getTriggerKey());
        assertThat(trigger.getRepeatInterval()).isEqualTo(200);
        assertThat(trigger.getRepeatCount()).isEqualTo(SimpleTrigger.REPEAT_INDEFINITELY);
        // What Quartz does with a trigger that is ten minutes late.
        OperableTrigger late = (OperableTrigger) trigger;
        late.setNextFireTime(new Date(System.currentTimeMillis() - 600_000));
        long before = System.currentTimeMillis();
        late.updateAfterMisfire(null);
        assertThat(late.getNextFireTime().getTime()).isGreaterThanOrEqualTo(before);
        late.triggered(null);
        assertThat(late.getNextFireTime().getTime()).isGreaterThanOrEqualTo(before + 200);
        assertThat(endpoint.isStateful()).isTrue();
    }
}
