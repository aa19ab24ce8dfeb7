package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

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
}
