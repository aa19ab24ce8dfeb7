package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import dev.streamconnect.spi.Reason;
import java.util.List;
import org.apache.camel.CamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Undelivered messages of topic replications that are gone")
class AbsentRowsTest extends UndeliveredTestSupport {

    private final CapturedLogs logs = new CapturedLogs();

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", "")
                + toServiceNow("events-to-sn", "events", "")
                + toServiceNow("off", "off", ", route: none")
                        .replace("active: true", "active: false");
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getComponent("replication", ReplicationComponent.class).setRecordsInterval(0);
    }

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    private LinkStatus state(String id) {
        return component().states().stream().filter(s -> s.id().equals(id)).findFirst().get();
    }

    private ReplicationComponent component() {
        return context.getComponent("replication", ReplicationComponent.class);
    }

    @Test
    @DisplayName("where another connects the same topics it is told that its messages pass them")
    void passed() throws Exception {
        store.store(rows.of("orders-to-sn", Reason.SIZE, 3));
        write(toServiceNow("orders-2", "orders", "") + toServiceNow("events-to-sn", "events", ""));
        component().watch().look();
        component().watch().look();
        component().absentRows().count();
        component().absentRows().count();
        String told =
                "is not in the records: 3 undelivered messages of it are kept (3 waiting, 0 parked);"
                        + " orders-2 connects the same topics: later messages of their keys go on"
                        + " and arrive before them";
        assertThat(state("orders-to-sn").reason()).isEqualTo(told);
        assertThat(logs.lines())
                .filteredOn(line -> line.startsWith("topic replication orders-to-sn"))
                .containsExactly("topic replication orders-to-sn " + told);
    }

    @Test
    @DisplayName("they stay, are told of in the status and once in the log, and can be taken out")
    void kept() throws Exception {
        store.store(rows.of("orders-to-sn", Reason.SIZE, 3));
        store.store(rows.of("events-to-sn", Reason.SIZE, 2));
        store.store(rows.of("off", Reason.SIZE, 1));
        component().absentRows().count();
        assertThat(component().states())
                .extracting(LinkStatus::id)
                .containsExactly("events-to-sn", "off", "orders-to-sn");

        write(toServiceNow("events-to-sn", "events", ""));
        component().watch().look();
        component().watch().look();
        component().absentRows().count();
        component().absentRows().count();

        assertThat(state("orders-to-sn").state()).isEqualTo(LinkState.STOPPED);
        assertThat(state("orders-to-sn").reason())
                .isEqualTo(
                        "is not in the records: 3 undelivered messages of it are kept (3 waiting, 0 parked)");
        assertThat(logs.lines())
                .filteredOn(line -> line.startsWith("topic replication orders-to-sn is not in"))
                .hasSize(1);
        assertThat(state("events-to-sn").state()).isEqualTo(LinkState.RUNNING);
        assertThat(all()).hasSize(6);
        assertThat(
                        template.requestBody(
                                "replication:orders-to-sn?operation=list", null, List.class))
                .hasSize(3);

        template.requestBody(
                "replication:orders-to-sn?operation=discard&reason=SIZE", (Object) null);
        component().absentRows().count();
        assertThat(component().states())
                .extracting(LinkStatus::id)
                .containsExactly("events-to-sn", "off");
    }
}
