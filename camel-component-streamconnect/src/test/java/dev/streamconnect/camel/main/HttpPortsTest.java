package dev.streamconnect.camel.main;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The ports of Camel Main's HTTP servers, before the start")
class HttpPortsTest {

    private static void check(String... properties) {
        Properties initial = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            initial.setProperty(properties[i], properties[i + 1]);
        }
        CamelContext context = new DefaultCamelContext();
        context.getPropertiesComponent().setInitialProperties(initial);
        HttpPorts.check(context);
    }

    private static void management(String port) {
        check(
                "camel.management.enabled",
                "true",
                "camel.management.host",
                "localhost",
                "camel.management.port",
                "{{wanted}}",
                "wanted",
                port);
    }

    @Test
    @DisplayName("a taken one is named with its option; a free one is left free")
    void taken() throws Exception {
        int port;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
            port = other.getLocalPort();
            assertThatThrownBy(() -> management(String.valueOf(port)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(
                            "camel.management.port: localhost:" + port + " can't be taken: ")
                    .hasMessageEndingWith("; free it, or set another port");
            assertThatCode(
                            () ->
                                    check(
                                            "camel.management.enabled",
                                            "false",
                                            "camel.management.port",
                                            String.valueOf(port)))
                    .doesNotThrowAnyException();
        }
        management("0");
        check();
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "65536", "99999999999", "80 80"})
    @DisplayName("what is no port is refused by its option")
    void noPort(String port) {
        assertThatThrownBy(() -> management(port))
                .hasMessage(
                        "camel.management.port: '"
                                + port
                                + "' is no port; use 1 to 65535, or 0 for any");
        assertThatThrownBy(() -> check("camel.server.enabled", "true", "camel.server.port", port))
                .hasMessageStartingWith("camel.server.port: '");
    }

    @Test
    @DisplayName("a host that is not known is refused by its option")
    void unknownHost() {
        assertThatThrownBy(
                        () ->
                                check(
                                        "camel.management.enabled",
                                        "true",
                                        "camel.management.port",
                                        "0",
                                        "camel.management.host",
                                        "no-such-host.invalid"))
                .hasMessage(
                        "camel.management.host: 'no-such-host.invalid' is not known; correct the name");
    }
}
