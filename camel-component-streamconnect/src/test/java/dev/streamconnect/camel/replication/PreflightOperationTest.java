package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.hermes.HermesConfiguration;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.preflight.Finding;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import dev.streamconnect.preflight.Stage;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.CamelExecutionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** At hosts that do not exist, so that it takes no time and needs no cluster. */
@DisplayName("operation=preflight")
class PreflightOperationTest extends ReplicationTestSupport {

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", "")
                + toServiceNow("events-to-sn", "events", "")
                + toServiceNow("quiet-to-sn", "quiet", "").replace("active: true", "active: false")
                + "- { id: decisions-from-sn, direction: fromServiceNow, topicName: decisions, serviceNowTopic: decisions, active: true }\n";
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        HermesConfiguration hermes =
                context.getComponent("hermes", HermesComponent.class).getConfiguration();
        hermes.setDomain("no-such-domain.invalid");
        context.getComponent("replication", ReplicationComponent.class).setBuildRoutes(false);
    }

    private PreflightReport preflight(String uri) {
        return template.requestBody("replication:" + uri, null, PreflightReport.class);
    }

    private static List<String> subjects(PreflightReport report, ClientRole role, Stage stage) {
        return report.findings().stream()
                .filter(each -> each.role() == role && each.stage() == stage)
                .map(Finding::subject)
                .toList();
    }

    @Test
    @DisplayName("looks at each side of each connection with what its topic replications do there")
    void sides() {
        PreflightReport report = preflight("*?operation=preflight");
        assertThat(report.green()).isFalse();
        assertThat(report.findings().stream().map(Finding::place).distinct())
                .containsExactly(
                        "plant customer", "hermes producer", "hermes side A", "hermes side B");
        assertThat(subjects(report, ClientRole.CUSTOMER, Stage.TOPIC))
                .containsExactly("orders", "events", "decisions");
        assertThat(subjects(report, ClientRole.HERMES_PRODUCER, Stage.TOPIC))
                .containsExactly("snc.acme.orders", "snc.acme.events");
        for (ClientRole side : List.of(ClientRole.HERMES_A, ClientRole.HERMES_B)) {
            assertThat(subjects(report, side, Stage.TOPIC))
                    .containsExactly("snc.acme.orders", "snc.acme.events", "snc.acme.decisions");
            assertThat(subjects(report, side, Stage.GROUP)).containsExactly("snc.acme.plant");
        }
        assertThat(subjects(report, ClientRole.CUSTOMER, Stage.GROUP))
                .containsExactly("acme-consumer-plant");
        assertThat(subjects(report, ClientRole.HERMES_PRODUCER, Stage.GROUP)).isEmpty();
        assertThat(subjects(report, ClientRole.HERMES_B, Stage.TCP))
                .containsExactly(
                        "acme.no-such-domain.invalid:4200",
                        "acme.no-such-domain.invalid:4201",
                        "acme.no-such-domain.invalid:4202",
                        "acme.no-such-domain.invalid:4203");
        assertThat(report.findings())
                .filteredOn(each -> each.role() != ClientRole.CUSTOMER)
                .filteredOn(each -> each.outcome() == Outcome.FAIL)
                .allMatch(each -> each.stage() == Stage.DNS)
                .hasSize(3);
    }

    @Test
    @DisplayName("looks at one topic replication, or those of a pattern")
    void chosen() {
        PreflightReport one = preflight("decisions-from-sn?operation=preflight");
        assertThat(subjects(one, ClientRole.CUSTOMER, Stage.TOPIC)).containsExactly("decisions");
        assertThat(subjects(one, ClientRole.HERMES_PRODUCER, Stage.TOPIC)).isEmpty();
        assertThat(subjects(one, ClientRole.CUSTOMER, Stage.GROUP)).isEmpty();
        PreflightReport some = preflight("events*?operation=preflight");
        assertThat(subjects(some, ClientRole.CUSTOMER, Stage.TOPIC)).containsExactly("events");
    }

    @Test
    @DisplayName("refuses what is not there or not active")
    void unknown() {
        assertThatThrownBy(() -> preflight("order-to-sn?operation=preflight"))
                .isInstanceOf(CamelExecutionException.class)
                .cause()
                .hasMessageContaining("did you mean orders-to-sn");
        assertThatThrownBy(() -> preflight("quiet-to-sn?operation=preflight"))
                .cause()
                .hasMessageContaining("is not active");
        assertThatThrownBy(() -> preflight("nothing*?operation=preflight"))
                .cause()
                .hasMessageContaining("'nothing*' matches no active topic replication");
    }

    @Test
    @DisplayName("answers JSON")
    void json() throws Exception {
        JsonNode root =
                new ObjectMapper()
                        .readTree(
                                template.requestBody(
                                        "replication:orders-to-sn?operation=preflight&json=true",
                                        null,
                                        String.class));
        assertThat(root.path("green").asBoolean()).isFalse();
        assertThat(root.path("findings").findValuesAsText("subject")).contains("snc.acme.orders");
    }
}
