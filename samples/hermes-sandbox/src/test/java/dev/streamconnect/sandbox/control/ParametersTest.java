package dev.streamconnect.sandbox.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.gateway.Cut;
import dev.streamconnect.sandbox.gateway.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Parameters of a control request")
class ParametersTest {

    private static final Set<String> KNOWN = Set.of("role", "cut", "ms", "config");

    @Test
    @DisplayName("are decoded and typed")
    void typed() {
        Parameters parameters = parse("role=consumera&cut=fin&ms=20&config=a%3D1%3Bb%3D");

        assertThat(parameters.choice("role", Role.class, Role::word, null))
                .isEqualTo(Role.CONSUMER_A);
        assertThat(parameters.choice("cut", Cut.class, Cut.RST)).isEqualTo(Cut.FIN);
        assertThat(parameters.number("ms", 0, 0, 100)).isEqualTo(20);
        assertThat(parameters.map("config")).isEqualTo(Map.of("a", "1", "b", ""));
    }

    @Test
    @DisplayName("have defaults where an action gives them")
    void defaults() {
        assertThat(parse(null).choice("cut", Cut.class, Cut.RST)).isEqualTo(Cut.RST);
        assertThat(parse("").number("ms", 7, 0, 100)).isEqualTo(7);
        assertThat(parse("").map("config")).isEmpty();
    }

    @Test
    @DisplayName("are refused with their name and what is expected")
    void refused() {
        assertThatThrownBy(() -> parse("rol=x"))
                .isInstanceOf(SandboxException.class)
                .hasMessage("parameter 'rol' is unknown here; known: config, cut, ms, role");
        assertThatThrownBy(() -> parse("role=x").choice("role", Role.class, Role::word, null))
                .hasMessage("role is 'x', expected one of producer, consumerA, consumerB, local");
        for (String other : List.of("C", "LOCAL")) {
            assertThatThrownBy(
                            () ->
                                    parse("role=" + other)
                                            .choice(
                                                    "role",
                                                    List.of(ClusterName.A, ClusterName.B),
                                                    ClusterName::name,
                                                    ClusterName.B))
                    .hasMessage("role is '" + other + "', expected one of A, B");
        }
        assertThatThrownBy(() -> parse("").choice("role", Role.class, Role::word, null))
                .hasMessage("parameter 'role' is missing");
        assertThatThrownBy(() -> parse("ms=101").number("ms", 0, 0, 100))
                .hasMessage("ms is '101', expected a number from 0 to 100");
    }

    private static Parameters parse(String query) {
        return Parameters.parse(query, KNOWN);
    }
}
