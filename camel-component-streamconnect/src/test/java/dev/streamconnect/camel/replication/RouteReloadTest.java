package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.RecordingEngine.RecordingLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.DefaultContextReloadStrategy;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.apache.camel.support.RouteOnDemandReloadStrategy;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("case-R2")
@DisplayName("When Camel reloads its routes")
class RouteReloadTest extends ReplicationTestSupport {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final List<String> ALL = List.of("orders-to-sn", "events-to-sn", "mine");

    private final CapturedLogs logs = new CapturedLogs("", Level.WARN);
    private final RouteOnDemandReloadStrategy files = new SlowReload();

    @TempDir private Path routes;

    /**
     * Runs what a test wants between the removal of the old routes and the load of the new ones.
     */
    private Runnable between = () -> {};

    private final class SlowReload extends RouteOnDemandReloadStrategy {

        @Override
        protected List<Resource> findReloadedResources(Object source) throws Exception {
            if (!source.equals("slow")) {
                return super.findReloadedResources(source);
            }
            List<Resource> found = super.findReloadedResources(source);
            getCamelContext().getRouteController().removeAllRoutes();
            getCamelContext().removeRouteTemplates("*");
            between.run();
            return found;
        }
    }

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", "")
                + toServiceNow("events-to-sn", "events", ", route: own-template")
                + toServiceNow("mine", "mine", ", route: none");
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        Path file =
                Files.writeString(
                        routes.resolve("routes.yaml"),
                        """
                        - routeTemplate:
                            id: topic-replication
                            parameters:
                              - name: id
                            from:
                              uri: "replication:{{id}}"
                              steps:
                                - to:
                                    uri: "replication:{{id}}"
                        - routeTemplate:
                            id: own-template
                            parameters:
                              - name: id
                            from:
                              uri: "replication:{{id}}?batch=true"
                              steps:
                                - to:
                                    uri: "replication:{{id}}"
                        - route:
                            id: mine
                            from:
                              uri: replication:mine
                              steps:
                                - to:
                                    uri: replication:mine
                        """);
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(ResourceHelper.resolveResource(context, "file:" + file));
        files.setFolder(routes.toString());
        files.setPattern("*");
        context.addService(files);
        context.addService(new DefaultContextReloadStrategy());
    }

    @Test
    @DisplayName("by files, twice: each route is back once, by the user's templates")
    void byFiles() {
        for (int times = 2; times <= 3; times++) {
            RecordingLink before = engine.links.get("orders-to-sn");
            files.onReload("test");
            awaitAllOpened(times);
            assertThat(before.closed).isTrue();
        }
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    @DisplayName("as a whole context: each route is back once")
    void wholeContext() {
        context.hasService(DefaultContextReloadStrategy.class).onReload("test");
        awaitAllOpened(2);
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    @DisplayName("nothing is built before it is through: the user's template would be missing")
    void waits() {
        between =
                () -> {
                    context.getComponent("replication", ReplicationComponent.class).reconcile();
                    assertThat(context.getRoutes()).isEmpty();
                };
        files.onReload("slow");
        assertThat(files.getLastError()).isNull();
        awaitAllOpened(2);
        assertThat(logs.lines()).isEmpty();
    }

    @Test
    @DisplayName(
            "without a word of its end it is taken as through some time after the last removal")
    void quiet() throws Exception {
        AtomicLong nanos = new AtomicLong();
        try (DefaultCamelContext other = new DefaultCamelContext()) {
            RouteReload reload = new RouteReload(new ReplicationComponent(other), nanos::get);
            assertThat(reload.isGoing()).isFalse();
            assertThat(reload.removed()).isTrue();
            nanos.set(Duration.ofSeconds(9).toNanos());
            assertThat(reload.removed()).isFalse();
            nanos.set(Duration.ofSeconds(18).toNanos());
            assertThat(reload.isGoing()).isTrue();
            nanos.set(Duration.ofSeconds(20).toNanos());
            assertThat(reload.isGoing()).isFalse();
        }
    }

    private void awaitAllOpened(int times) {
        await().atMost(LIMIT).untilAsserted(() -> assertAllOpened(times));
        assertThat(engine.links.get("orders-to-sn").definition.options().batch()).isFalse();
        assertThat(engine.links.get("events-to-sn").definition.options().batch()).isTrue();
    }

    private void assertAllOpened(int times) {
        assertThat(context.getRoutes())
                .extracting(Route::getId)
                .containsExactlyInAnyOrderElementsOf(ALL);
        for (String id : ALL) {
            assertThat(Collections.frequency(engine.opened, id)).as(id).isEqualTo(times);
            assertThat(engine.links.get(id).closed).as(id).isFalse();
        }
    }
}
