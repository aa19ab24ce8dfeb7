package dev.streamconnect.camel.replication;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.camel.RecordingEngine.RecordingLink;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.LinkState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.camel.Route;
import org.apache.camel.ServiceStatus;
import org.apache.camel.builder.RouteBuilder;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Records that change at run time")
class LiveRecordsTest extends LiveRecordsTestSupport {

    private static final String MINE = toServiceNow("mine", "mine", ", route: none");
    private static final String TWENTY =
            IntStream.rangeClosed(1, 20)
                    .mapToObj(i -> toServiceNow("r" + i, "t" + i, ""))
                    .collect(joining());

    @Override
    protected String topicReplications() {
        return TWENTY + MINE;
    }

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                routeTemplate("own-template")
                        .templateParameter("id")
                        .from("replication:{{id}}")
                        .to("replication:{{id}}");
                from("replication:mine").routeId("my-route").to("replication:mine");
                from("direct:elsewhere").to("replication:r1");
            }
        };
    }

    private Map<String, RecordingLink> before() {
        return new HashMap<>(engine.links);
    }

    /** All but these are the same open links in the same routes. */
    private void assertUntouched(Map<String, RecordingLink> before, String... touched) {
        before.forEach(
                (id, link) -> {
                    if (!List.of(touched).contains(id)) {
                        assertThat(link(id)).as(id).isSameAs(link);
                        assertThat(link.closed).as(id).isFalse();
                    }
                });
    }

    @Test
    @Tag("case-R7")
    @DisplayName("one record more among twenty starts one route and touches no other")
    void addsOne() throws Exception {
        Map<String, RecordingLink> before = before();
        List<Route> routes = context.getRoutes();

        change(TWENTY + MINE + toServiceNow("r21", "t21", ""));

        assertThat(engine.opened).containsExactly("r21");
        assertUntouched(before);
        assertThat(context.getRoutes()).containsAll(routes).hasSize(routes.size() + 1);
        assertThat(route("r21")).isEqualTo(ServiceStatus.Started);
        assertThat(logs.lines())
                .contains(
                        "replication records "
                                + file()
                                + ": version "
                                + records().version()
                                + " is in effect; 1 added: r21");
    }

    @Test
    @DisplayName("a changed record restarts its route alone")
    void changesOne() throws Exception {
        Map<String, RecordingLink> before = before();
        Route route = context.getRoute("r7");

        change(TWENTY.replace("topicName: t7,", "topicName: other,") + MINE);

        assertThat(engine.opened).containsExactly("r7");
        assertUntouched(before, "r7");
        assertThat(before.get("r7").closed).isTrue();
        assertThat(link("r7").definition.sourceTopic()).isEqualTo("other");
        assertThat(context.getRoute("r7")).isSameAs(route);
    }

    @Test
    @DisplayName("a record that is gone or not active any more takes its route and its state along")
    void removes() throws Exception {
        Map<String, RecordingLink> before = before();

        change(
                TWENTY.replace(toServiceNow("r7", "t7", ""), "")
                                .replace("topicName: t8,", "topicName: t8, active: false,")
                                .replace("serviceNowTopic: t8, active: true", "serviceNowTopic: t8")
                        + MINE);

        assertNothingOpened();
        assertUntouched(before, "r7", "r8");
        assertThat(before.get("r7").closed).isTrue();
        assertThat(before.get("r8").closed).isTrue();
        assertThat(context.getRoute("r7")).isNull();
        assertThat(context.getRoute("r8")).isNull();
        assertThat(states()).extracting("id").doesNotContain("r7", "r8").contains("r6", "r9");

        change(topicReplications());
        assertThat(engine.opened).containsExactly("r7", "r8");
        assertUntouched(before, "r7", "r8");
    }

    @Test
    @DisplayName("comments, order, names and labels restart nothing")
    void touchesNothing() throws Exception {
        Map<String, RecordingLink> before = before();
        String version = records().version();

        changeFile(
                """
                # another comment
                version: 1
                connections:
                  - { bootstrapServers: "localhost:9092", id: plant }
                messageReplications:
                  - name: another name
                    application: a label
                    connection: plant
                    topicReplications:
                """
                        + (MINE + TWENTY).indent(6));

        assertNothingOpened();
        assertUntouched(before);
        assertThat(records().version()).isNotEqualTo(version);
        assertThat(logs.lines()).last().asString().endsWith("in effect; no route is touched");
    }

    @Test
    @DisplayName("a changed connection restarts all its routes and no others")
    void changesConnection() throws Exception {
        String two =
                """
                version: 1
                connections:
                  - { id: plant, bootstrapServers: "localhost:9092" }
                  - { id: hall, bootstrapServers: "localhost:9093" }
                messageReplications:
                  - { name: plant, connection: plant, topicReplications: [
                      { id: a, direction: toServiceNow, topicName: a, serviceNowTopic: a },
                      { id: b, direction: fromServiceNow, topicName: b, serviceNowTopic: b }] }
                  - { name: hall, connection: hall, topicReplications: [
                      { id: c, direction: toServiceNow, topicName: c, serviceNowTopic: c },
                      { id: d, direction: fromServiceNow, topicName: d, serviceNowTopic: d }] }
                """;
        changeFile(two);
        engine.opened.clear();
        Map<String, RecordingLink> before = before();

        changeFile(two.replace("localhost:9093", "localhost:9094"));
        assertThat(engine.opened).containsExactlyInAnyOrder("c", "d");
        assertUntouched(before, "c", "d", "mine");

        engine.opened.clear();
        changeFile(
                two.replace("localhost:9093\"", "localhost:9094\", consumerGroupId: acme-other"));
        assertThat(engine.opened).as("the group is that of the source").containsExactly("c");
        assertThat(link("c").definition.sources())
                .extracting(ConnectionSettings::groupId)
                .containsExactly("acme-other");

        engine.opened.clear();
        changeFile(
                two.replace(
                        "localhost:9093\"",
                        "localhost:9094\", consumerGroupId: acme-other, sasl: { mechanism: PLAIN, username: u,"
                                + " password: p }"));
        assertThat(engine.opened).containsExactlyInAnyOrder("c", "d");
        assertUntouched(before, "c", "d", "mine");
    }

    @Test
    @DisplayName("a changed id is one removed and one added, which reads the topic after it")
    void changesId() throws Exception {
        Map<String, RecordingLink> before = before();

        change(TWENTY.replace("id: r7,", "id: renamed,") + MINE);

        assertThat(engine.opened).containsExactly("renamed");
        assertUntouched(before, "r7");
        assertThat(openLinks()).contains("renamed").doesNotContain("r7");
        assertThat(link("renamed").definition.sourceTopic()).isEqualTo("t7");
    }

    @Test
    @DisplayName("another direction restarts the route, which goes the other way")
    void changesDirection() throws Exception {
        change(
                TWENTY.replace(
                                "id: r7, direction: toServiceNow",
                                "id: r7, direction: fromServiceNow")
                        + MINE);

        assertThat(engine.opened).containsExactly("r7");
        assertThat(link("r7").definition.destinationTopic()).isEqualTo("t7");
        assertThat(link("r7").definition.sourceTopic()).isEqualTo("snc.acme.t7");
    }

    @Test
    @DisplayName("two that swap their topics both stop before either starts")
    void swapsTopics() throws Exception {
        Map<String, RecordingLink> before = before();

        change(
                TWENTY.replace("topicName: t7,", "topicName: x,")
                                .replace("topicName: t8,", "topicName: t7,")
                                .replace("topicName: x,", "topicName: t8,")
                        + MINE);

        assertThat(engine.opened).containsExactlyInAnyOrder("r7", "r8");
        assertUntouched(before, "r7", "r8");
        assertThat(link("r7").definition.sourceTopic()).isEqualTo("t8");
        assertThat(link("r8").definition.sourceTopic()).isEqualTo("t7");
        assertThat(refusals()).isEmpty();
        assertThat(logs.lines()).noneMatch(line -> line.contains("tried again"));
    }

    @Test
    @DisplayName(
            "what is paused stays paused when its record changes, and what is stopped, stopped")
    void staysPaused() throws Exception {
        template.requestBody("replication:r7?operation=pause", (Object) null);
        template.requestBody("replication:mine?operation=pause", (Object) null);
        context.getRouteController().suspendRoute("r8");
        context.getRouteController().stopRoute("r9");

        change(
                TWENTY.replaceAll("topicName: t([789]),", "topicName: u$1,")
                        + MINE.replace("topicName: mine", "topicName: u"));

        assertThat(engine.opened).containsExactlyInAnyOrder("r7", "r8", "mine");
        assertThat(link("r7").definition.sourceTopic()).isEqualTo("u7");
        assertThat(state("r7").state()).isEqualTo(LinkState.PAUSED);
        assertThat(state("mine").state()).isEqualTo(LinkState.PAUSED);
        assertThat(state("r8").state()).isEqualTo(LinkState.PAUSED);
        assertThat(route("r8")).isEqualTo(ServiceStatus.Suspended);
        assertThat(route("r9")).isEqualTo(ServiceStatus.Stopped);

        template.requestBody("replication:r7?operation=resume", (Object) null);
        context.getRouteController().resumeRoute("r8");
        context.getRouteController().startRoute("r9");
        assertThat(state("r7").state()).isEqualTo(LinkState.RUNNING);
        assertThat(state("r8").state()).isEqualTo(LinkState.RUNNING);
        assertThat(link("r9").definition.sourceTopic()).isEqualTo("u9");
    }

    @Test
    @DisplayName("a user's own route is restarted by a change of its record")
    void restartsOwnRoute() throws Exception {
        Map<String, RecordingLink> before = before();

        change(TWENTY + MINE.replace("topicName: mine", "topicName: other"));

        assertThat(engine.opened).containsExactly("mine");
        assertUntouched(before, "mine");
        assertThat(link("mine").definition.sourceTopic()).isEqualTo("other");
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Started);
    }

    @Test
    @DisplayName("a user's own route stops with its record, says so, and starts when it is back")
    void stopsOwnRoute() throws Exception {
        change(TWENTY);
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Stopped);
        assertThat(state("mine").state()).isEqualTo(LinkState.STOPPED);
        assertThat(state("mine").reason())
                .isEqualTo(
                        "there is no record of it; its route 'my-route' is stopped until there is one");

        change(TWENTY + MINE.replace("active: true", "active: false"));
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Stopped);
        assertThat(state("mine").reason())
                .isEqualTo("its record is not active; its route 'my-route' is stopped until it is");

        change(TWENTY + MINE);
        assertThat(engine.opened).containsExactly("mine");
        assertThat(state("mine").state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("a user's own route that its user has stopped stays so")
    void leavesStoppedRoute() throws Exception {
        context.getRouteController().stopRoute("my-route");

        change(TWENTY);
        change(TWENTY + MINE.replace("topicName: mine", "topicName: other"));

        assertNothingOpened();
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Stopped);
    }

    @Test
    @DisplayName("a record can take its route from a template, and give it back")
    void reshapes() throws Exception {
        change(TWENTY + MINE.replace("route: none", "route: own-template"));
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Stopped);
        assertThat(route("mine")).isEqualTo(ServiceStatus.Started);
        assertThat(engine.opened).containsExactly("mine");
        assertThat(state("mine").state()).isEqualTo(LinkState.RUNNING);

        change(TWENTY + MINE);
        assertThat(route("my-route")).isEqualTo(ServiceStatus.Started);
        assertThat(context.getRoute("mine")).isNull();
        assertThat(engine.opened).containsExactly("mine", "mine");
    }

    @Test
    @DisplayName("a route that does not start leaves the others alone, says so, and is tried again")
    void failsToStart() throws Exception {
        Map<String, RecordingLink> before = before();
        engine.beforeOpen =
                definition -> {
                    if (List.of("u7", "u").contains(definition.sourceTopic())) {
                        throw new IllegalArgumentException("not today");
                    }
                };

        change(
                TWENTY.replaceAll("topicName: t([78]),", "topicName: u$1,")
                        + toServiceNow("r21", "t21", ", route: no-such")
                        + MINE.replace("topicName: mine", "topicName: u"));

        assertThat(engine.opened).containsExactly("r8");
        assertUntouched(before, "r7", "r8", "mine");
        assertThat(state("r7").state()).isEqualTo(LinkState.FAILED);
        assertThat(state("r7").reason()).isEqualTo("its route is not built: not today");
        assertThat(state("r21").reason()).startsWith("its route is not built: there is no route");
        assertThat(state("mine").state()).isEqualTo(LinkState.FAILED);
        assertThat(state("mine").reason())
                .isEqualTo(
                        "its route 'my-route' does not start, tried again every 15 s: not today");

        engine.beforeOpen = definition -> {};
        component().reconcile();
        assertThat(engine.opened).containsExactly("r8", "mine", "r7");
        assertThat(state("r7").state()).isEqualTo(LinkState.RUNNING);
        assertThat(state("mine").state()).isEqualTo(LinkState.RUNNING);
    }

    @Test
    @DisplayName("what other routes send to a topic replication follows its record")
    void movesSenders() throws Exception {
        template.requestBody("direct:elsewhere", "one");
        assertThat(engine.sent.get(0).topic()).isEqualTo("snc.acme.t1");

        change(TWENTY.replace("serviceNowTopic: t2,", "serviceNowTopic: v2,") + MINE);
        template.requestBody("direct:elsewhere", "two");
        assertThat(engine.destinations).as("the same sender").hasSize(1);

        change(TWENTY.replace("serviceNowTopic: t1,", "serviceNowTopic: v1,") + MINE);
        template.requestBody("direct:elsewhere", "three");
        assertThat(engine.sent.get(2).topic()).isEqualTo("snc.acme.v1");
        assertThat(engine.openDestinations).isEqualTo(1);

        change(TWENTY.replace(toServiceNow("r1", "t1", ""), "") + MINE);
        assertThatThrownBy(() -> template.requestBody("direct:elsewhere", "four"))
                .hasStackTraceContaining("there is no topic replication 'r1'");
        assertThat(engine.sent).hasSize(3);
    }

    @Test
    @DisplayName("a stop of the context in the middle of a change leaves nothing open")
    void stopsMeanwhile() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        engine.beforeOpen =
                definition -> {
                    opening.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                };
        write(TWENTY.replaceAll("topicName: t", "topicName: u"));
        Thread change = new Thread(this::settle, "change");
        change.start();
        opening.await();
        Thread stop = new Thread(context::stop, "stop");
        stop.start();
        await().until(() -> component().builtRoutes().isHalted());
        goOn.countDown();
        change.join();
        stop.join();

        assertThat(engine.opened).hasSize(1);
        assertThat(openLinks()).isEmpty();
        assertThat(engine.closed).isTrue();
    }
}
