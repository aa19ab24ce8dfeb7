package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("case-H15")
class InstanceMatchTest {

    private final InstanceMatch match = new InstanceMatch(HermesInstance.of("test"));

    @Test
    @DisplayName("H15: topic, host and certificate of another instance are three clear lines")
    void findsEachMismatch() {
        assertThat(
                        match.check(
                                "snc.prod.t",
                                "prod.service-now.com",
                                "O=ServiceNow,OU=hermes,CN=prod.service-now.com"))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("'prod'").contains("'test'"));
        assertThat(match.check("snc.prod.t", "test.service-now.com", null))
                .singleElement()
                .asString()
                .startsWith("topic 'snc.prod.t'");
    }

    @Test
    void takesWhatAgreesOrTellsNoInstance() {
        assertThat(match.check("snc.test.t", "TEST.service-now.com", "CN=snc.test.client"))
                .isEmpty();
        assertThat(match.check(null, "localhost", "CN=client-1,O=Acme")).isEmpty();
        assertThat(match.check(null, "10.0.0.1", "not a name")).isEmpty();
        assertThat(match.check(null, null, "CN=*.service-now.com")).isEmpty();
        assertThat(match.check(null, null, "CN=snc.prod.client")).hasSize(1);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=worker,OU=hermes client,O=prod              | 1",
                "CN=worker,OU=hermes,O=prod                     | 1",
                "CN=worker,OU=hermes client,O=test              | 0",
                "CN=worker,OU=hermes client,O=Some Company Ltd  | 0",
                "CN=worker,OU=hermes client,O=ServiceNow        | 0",
                "CN=worker,OU=hermesfans,O=prod                 | 0",
                "CN=worker,OU=IT,O=prod                         | 0",
                "CN=worker,O=prod                               | 0",
                "CN=worker,OU=hermes client,O=prod,O=test       | 0",
                "CN=snc.test.worker,OU=hermes client,O=prod     | 0"
            })
    @DisplayName("H15: an organisation is an instance only in the form that Hermes issues")
    void organisation(String subject, int mismatches) {
        assertThat(match.check(null, null, subject)).hasSize(mismatches);
    }
}
