package dev.streamconnect.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.camel.hermes.DeliveryMode;
import dev.streamconnect.camel.hermes.HermesComponent;
import dev.streamconnect.camel.replication.ReplicationComponent;
import java.util.List;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A number or a time among the options")
class CheckedValuesTest {

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final HermesComponent hermes = context.getComponent("hermes", HermesComponent.class);
    private final ReplicationComponent replication =
            context.getComponent("replication", ReplicationComponent.class);

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "12x", "", "1.5", "5s", "0x10"})
    @DisplayName("is not taken for 0 or another number where it is none")
    void noNumber(String text) {
        assertThatThrownBy(() -> set(hermes, "portBase", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is no whole number; use digits");
        assertThat(hermes.getConfiguration().getPortBase()).isEqualTo(4000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "12x", "", "1.5", "5 seconds"})
    @DisplayName("the same for a time")
    void noTime(String text) {
        assertThatThrownBy(() -> set(replication, "commitInterval", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is no time; ");
        assertThat(replication.getCommitInterval()).isEqualTo(1000);
    }

    @ParameterizedTest
    @CsvSource({"250,250", "2s,2000", "1m30s,90000", "PT5S,5000"})
    @DisplayName("is set in every spelling that Camel reads")
    void time(String text, long millis) {
        set(replication, "commitInterval", text);
        assertThat(replication.getCommitInterval()).isEqualTo(millis);
    }

    @Test
    @DisplayName("is checked at an endpoint, too")
    void endpoint() {
        assertThatThrownBy(() -> context.getEndpoint("hermes:x?maxMessageBytes=2MB"))
                .hasStackTraceContaining("'2MB' is no whole number");
    }

    @Test
    @DisplayName("and a constant that there is not is told with those that there are")
    void constants() {
        assertThatThrownBy(() -> context.getEndpoint("hermes:x?delivery=maybe"))
                .hasStackTraceContaining("'maybe' is none of async, sync, fireAndForget");
        for (String written : List.of("fireAndForget", "FIRE_AND_FORGET", "fire-and-forget")) {
            set(hermes, "delivery", written);
            assertThat(hermes.getConfiguration().getDelivery())
                    .isEqualTo(DeliveryMode.FIRE_AND_FORGET);
            set(hermes, "delivery", "sync");
        }
    }

    private void set(org.apache.camel.Component component, String option, String value) {
        component
                .getComponentPropertyConfigurer()
                .configure(context, component, option, value, false);
    }
}
