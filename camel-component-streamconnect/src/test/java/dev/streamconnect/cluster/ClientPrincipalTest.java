package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A broker takes a client for")
class ClientPrincipalTest {

    private static ConnectionSettings plant(Map<String, Object> properties) {
        return new ConnectionSettings("plant", ClientRole.CUSTOMER, "h:1", null, properties);
    }

    private static ConnectionSettings sasl(String line) {
        return plant(Map.of("security.protocol", "SASL_SSL", "sasl.jaas.config", line));
    }

    @Test
    @DisplayName("the user of its JAAS line; never another option of it")
    void user() {
        assertThat(
                        ClientPrincipal.of(
                                sasl(
                                        "org.apache.kafka.common.security.plain.PlainLoginModule required"
                                                + " password=\"username=x\" username=\"re\\\"plicator\";")))
                .contains("User:re\"plicator");
        assertThat(
                        ClientPrincipal.of(
                                sasl(
                                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule"
                                                + " required clientId=\"c\" clientSecret=\"s\";")))
                .isEmpty();
        assertThat(ClientPrincipal.of(sasl("no line"))).isEmpty();
    }

    @Test
    @DisplayName("the subject of its certificate, nobody without one")
    void certificate(@TempDir Path folder) throws Exception {
        IssuedStores stores = new IssuedStores(folder);
        stores.issue(Instant.now(), Duration.ofDays(1));
        WatchedTls tls = WatchedTls.open(stores.options(), Clock.systemUTC());
        Map<String, Object> properties = new HashMap<>(tls.properties());
        properties.put("security.protocol", "SSL");
        assertThat(ClientPrincipal.of(plant(properties)))
                .contains("User:" + tls.current().life().subject());
        assertThat(ClientPrincipal.of(plant(Map.of("security.protocol", "SSL")))).isEmpty();
        assertThat(ClientPrincipal.of(plant(Map.of()))).contains("User:ANONYMOUS");
    }
}
