package dev.streamconnect.camel.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Options from environment variables")
class EnvironmentOptionsTest {

    @Test
    @DisplayName("have the spelling of the option, with or without a line between its words")
    void spelling() {
        assertThat(
                        EnvironmentOptions.of(
                                Map.of(
                                        "CAMEL_COMPONENT_HERMES_INSTANCE", "acme",
                                        "CAMEL_COMPONENT_HERMES_PRODUCER_BOOTSTRAP_SERVERS", "h:1",
                                        "CAMEL_COMPONENT_REPLICATION_UNDELIVEREDURL", "data/u")))
                .isEqualTo(
                        Map.of(
                                "camel.component.hermes.instance", "acme",
                                "camel.component.hermes.producerBootstrapServers", "h:1",
                                "camel.component.replication.undeliveredUrl", "data/u"));
    }

    @Test
    @DisplayName("are only those of our components")
    void others() {
        assertThat(
                        EnvironmentOptions.of(
                                Map.of(
                                        "CAMEL_COMPONENT_KAFKA_BROKERS",
                                        "h:1",
                                        "HERMES_FILES",
                                        "f")))
                .isEmpty();
    }

    @Test
    @DisplayName("are refused where there is no such option, without the value")
    void unknown() {
        assertThatThrownBy(
                        () ->
                                EnvironmentOptions.of(
                                        Map.of("CAMEL_COMPONENT_HERMES_INSTNCE", "secret")))
                .hasMessage(
                        "environment variable CAMEL_COMPONENT_HERMES_INSTNCE: there is no such option; correct its name");
    }
}
