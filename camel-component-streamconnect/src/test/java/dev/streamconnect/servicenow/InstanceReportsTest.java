package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.engine.MovedClock;
import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.MetricsRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is written to an instance")
class InstanceReportsTest {

    private static final String STATUS = "sys_sc_channel_replication_status";
    private static final String METRICS = "sys_sc_channel_replication_metric";
    private static final int MOST = 20;

    private final MovedClock clock = new MovedClock();
    private final CapturedLogs logs = new CapturedLogs("dev.streamconnect", Level.INFO);
    private TableApiServer server;
    private InstanceReports reports;

    @BeforeEach
    void start() throws Exception {
        server = new TableApiServer();
        server.table(STATUS);
        server.table(METRICS);
        server.table("sys_sc_message_replication_status");
        reports = reports();
    }

    private InstanceReports reports() {
        Credentials credentials =
                new Credentials(
                        TableApiServer.USER, Secret.of(TableApiServer.PASSWORD), null, null);
        return new InstanceReports(
                new TableApi(server.url(), credentials, null, Duration.ofSeconds(20), clock),
                Overlay.NONE::of,
                clock,
                MOST);
    }

    @AfterEach
    void stop() {
        server.close();
        logs.close();
    }

    private static InstanceReports.Status status(String state, String error) {
        return new InstanceReports.Status(
                true,
                "t1",
                "node^1",
                state,
                error,
                error.isEmpty() ? null : Instant.parse("2026-03-01T06:00:00Z"));
    }

    private void run() {
        clock.move(Duration.ofHours(1));
        reports.runOnce();
    }

    private static MetricsRecord window(String id, long count) {
        return new MetricsRecord(
                Instant.parse("2026-03-01T06:01:00Z"),
                60,
                id,
                count,
                7 * count,
                null,
                "orders",
                "snc.acme.orders",
                "To ServiceNow",
                "node-1",
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                1,
                null,
                null,
                null,
                0,
                0,
                0,
                0);
    }

    @Test
    @DisplayName("one status record for each topic replication and node, also after a restart")
    void status() {
        reports.status(List.of(status("RUNNING", "")));
        run();
        reports.status(List.of(status("FAILED", "no right to read")));
        run();
        assertThat(server.table(STATUS)).hasSize(1);
        Map<String, String> row = server.table(STATUS).values().iterator().next();
        assertThat(row)
                .containsEntry("channel_replication", "t1")
                .containsEntry("node", "node_1")
                .containsEntry("status", "FAILED")
                .containsEntry("error_message", "no right to read")
                .containsEntry("error_since", "2026-03-01 06:00:00");
        int calls = server.calls.size();
        reports.status(List.of(status("FAILED", "no right to read")));
        run();
        assertThat(server.calls).hasSize(calls);

        reports = reports();
        reports.status(List.of(status("RUNNING", "")));
        run();
        assertThat(server.table(STATUS)).hasSize(1);
        server.table(STATUS).clear();
        reports.status(List.of(status("IDLE", "")));
        run();
        assertThat(server.table(STATUS).values())
                .singleElement()
                .satisfies(made -> assertThat(made).containsEntry("status", "IDLE"));
    }

    @Test
    @DisplayName("one metrics record for each window of a record of the instance")
    void metrics() {
        reports.metrics(
                List.of(window("orders", 5), window("of a route", 1)),
                id -> id.equals("orders") ? Optional.of("t1") : Optional.empty());
        run();
        assertThat(server.table(METRICS).values())
                .singleElement()
                .satisfies(
                        row ->
                                assertThat(row)
                                        .containsEntry("channel_replication", "t1")
                                        .containsEntry("collection_time", "2026-03-01 06:01:00")
                                        .containsEntry("collection_interval", "60")
                                        .containsEntry("message_count", "5")
                                        .containsEntry("byte_count", "35")
                                        .containsEntry("lag_messages", "")
                                        .containsEntry("direction", "To ServiceNow")
                                        .containsEntry("mid_server", "node-1"));
    }

    @Test
    @DisplayName("an outage is two lines; what waits is bounded, and what is dropped is counted")
    void outage() {
        server.fault =
                exchange -> {
                    TableApiServer.error(exchange, 503, "away");
                    return true;
                };
        reports.metrics(Collections.nCopies(MOST + 3, window("orders", 1)), Optional::of);
        reports.status(List.of(status("RUNNING", "")));
        run();
        run();
        assertThat(reports.state())
                .startsWith("reports: 20 metrics records wait, 3 dropped, not written: ")
                .contains("status 503");
        int calls = server.calls.size();
        reports.runOnce();
        assertThat(server.calls).as("no call before its time").hasSize(calls);

        server.fault = exchange -> false;
        run();
        assertThat(server.table(STATUS)).hasSize(1);
        assertThat(server.table(METRICS)).hasSize(MOST);
        assertThat(reports.state()).isEqualTo("reports: 0 metrics records wait, 3 dropped");
        assertThat(logs.lines()).hasSize(2);
        assertThat(logs.lines().get(1)).contains("again; 3 metrics records were dropped");
    }
}
