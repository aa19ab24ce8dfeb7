package dev.streamconnect.camel.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.apache.camel.main.Main;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A client property of hermes in a form that Camel does not take")
class ClientPropertyFormTest {

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource({
        "producerProperties, linger.ms=20, producerProperties[linger.ms]",
        "producerProperties.linger.ms, 20, producerProperties[linger.ms]",
        "consumerProperties.fetch.max.wait.ms, 20, consumerProperties[fetch.max.wait.ms]"
    })
    @DisplayName("is one line that shows the form to write")
    void form(String name, String value, String right) throws Exception {
        Main main = new Main();
        main.addProperty("camel.component.hermes." + name, value);
        try {
            Throwable failure = catchThrowable(main::init);
            assertThat(StartFailure.describe(failure))
                    .contains("write one as camel.component.hermes." + right + " = value")
                    .hasLineCount(1);
        } finally {
            main.completed();
            if (main.getCamelContext() != null) {
                main.getCamelContext().stop();
            }
        }
    }
}
