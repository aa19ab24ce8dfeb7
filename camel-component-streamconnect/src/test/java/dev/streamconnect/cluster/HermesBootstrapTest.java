package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Arrays;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HermesBootstrapTest {

    private static final HermesInstance ACME = HermesInstance.of("acme");
    private static final String A = "acme.service-now.com";

    @Test
    void followsFromTheInstance() {
        HermesBootstrap bootstrap = HermesBootstrap.of(ACME).build();
        assertThat(bootstrap.servers(Role.PRODUCER)).isEqualTo(list(A, 4000));
        assertThat(bootstrap.servers(Role.CONSUMER_A)).isEqualTo(list(A, 4100));
        assertThat(bootstrap.servers(Role.CONSUMER_B)).isEqualTo(list(A, 4200));
        assertThat(bootstrap.sides()).containsExactly(Side.A, Side.B);
        assertThat(bootstrap.hosts()).containsExactly(A);
    }

    @Test
    @Tag("case-H3")
    @DisplayName("H3: one consumer list alone gives the other one")
    void derivesTheOtherSide() {
        assertThat(
                        HermesBootstrap.of(ACME)
                                .servers(Role.CONSUMER_A, list("gw", 4100))
                                .build()
                                .servers(Role.CONSUMER_B))
                .isEqualTo(list("gw", 4200));
        assertThat(
                        HermesBootstrap.of(ACME)
                                .servers(Role.CONSUMER_B, list("gw", 4200))
                                .build()
                                .servers(Role.CONSUMER_A))
                .isEqualTo(list("gw", 4100));
    }

    @Test
    @Tag("case-H3")
    @DisplayName("H3: reading one side only is a visible choice")
    void readsOneSideOnlyWhenTold() {
        HermesBootstrap bootstrap = HermesBootstrap.of(ACME).sides(Side.parse("A")).build();
        assertThat(bootstrap.sides()).containsExactly(Side.A);
        Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> bootstrap.servers(Role.CONSUMER_B));
        assertThat(
                        faults(
                                HermesBootstrap.of(ACME)
                                        .sides(Set.of(Side.A))
                                        .servers(Role.CONSUMER_B, "gw:4200")))
                .singleElement()
                .asString()
                .startsWith("consumerBBootstrapServers: ")
                .contains("sides=AB");
        assertThat(Side.parse("AB")).containsExactly(Side.A, Side.B);
        Assertions.assertThatIllegalArgumentException().isThrownBy(() -> Side.parse("C"));
    }

    @Test
    void refusesPortsOfTheWrongRangeAllAtOnce() {
        assertThat(
                        faults(
                                HermesBootstrap.of(ACME)
                                        .servers(Role.PRODUCER, "gw:4051")
                                        .servers(Role.CONSUMER_A, "gw:4000")
                                        .servers(Role.CONSUMER_B, "gw")))
                .satisfiesExactly(
                        f ->
                                assertThat(f)
                                        .startsWith("consumerBBootstrapServers: ")
                                        .contains("'gw' has no port; write it as gw:9092"),
                        f ->
                                assertThat(f)
                                        .startsWith("producerBootstrapServers: port 4051")
                                        .contains("4000-4050"),
                        f ->
                                assertThat(f)
                                        .startsWith("consumerABootstrapServers: port 4000")
                                        .contains("4100-4150")
                                        .contains("producer port"));
        assertThat(
                        HermesBootstrap.of(ACME)
                                .servers(Role.PRODUCER, "gw:4050")
                                .build()
                                .servers(Role.PRODUCER))
                .isEqualTo("gw:4050");
    }

    @Test
    void movedPortsNeedAnOption() {
        HermesBootstrap moved =
                HermesBootstrap.of(ACME).ports(new HermesPorts(14000, false)).build();
        assertThat(moved.servers(Role.CONSUMER_B)).isEqualTo(list(A, 14200));

        HermesPorts any = new HermesPorts(HermesPorts.DEFAULT_BASE, true);
        HermesBootstrap free =
                HermesBootstrap.of(ACME)
                        .ports(any)
                        .servers(Role.PRODUCER, "localhost:40001")
                        .servers(Role.CONSUMER_A, "localhost:40002")
                        .servers(Role.CONSUMER_B, "[::1]:40003")
                        .build();
        assertThat(free.servers(Role.CONSUMER_B)).isEqualTo("[::1]:40003");
        assertThat(
                        faults(
                                HermesBootstrap.of(ACME)
                                        .ports(any)
                                        .servers(Role.CONSUMER_A, "localhost:40002")))
                .singleElement()
                .asString()
                .contains("cannot be derived");
        Assertions.assertThatIllegalArgumentException().isThrownBy(() -> new HermesPorts(0, false));
    }

    @Test
    void refusesOneEntryInTwoRoles() {
        assertThat(
                        faults(
                                HermesBootstrap.of(ACME)
                                        .ports(new HermesPorts(4000, true))
                                        .servers(Role.PRODUCER, "localhost:1")
                                        .servers(Role.CONSUMER_A, "127.0.0.1:1")
                                        .servers(Role.CONSUMER_B, "localhost:2")))
                .singleElement()
                .asString()
                .contains("loses the messages of a fail-over");
    }

    @Test
    @Tag("case-H8")
    void coversTheWholeRangeAndNotOnlyTheBootstrapPorts() {
        assertThat(HermesPorts.STANDARD.covers(Role.PRODUCER, 4017)).isTrue();
        assertThat(HermesPorts.STANDARD.covers(Role.PRODUCER, 4051)).isFalse();
        assertThat(HermesPorts.STANDARD.range(Role.CONSUMER_B)).isEqualTo("4200-4250");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "ACME", "acme.service-now.com", "https://acme", "a_b", "-a", "a-"})
    void refusesWhatIsNoInstanceName(String name) {
        Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> HermesInstance.of(name))
                .withMessageStartingWith("instance: ");
    }

    @Test
    void hasAHost() {
        assertThat(new HermesInstance("acme", null).host()).isEqualTo(A);
        assertThat(new HermesInstance("acme", "example.org").host()).isEqualTo("acme.example.org");
        Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> new HermesInstance("acme", "a..b"))
                .withMessageStartingWith("domain: ");
    }

    private static java.util.List<String> faults(HermesBootstrap.Builder builder) {
        return catchThrowableOfType(HermesOptionException.class, builder::build).faults();
    }

    private static String list(String host, int first) {
        return String.join(
                ",",
                Arrays.stream(new int[] {0, 1, 2, 3})
                        .mapToObj(i -> host + ":" + (first + i))
                        .toList());
    }
}
