package dev.streamconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("case-H9")
class HermesTopicTest {

    private static final HermesInstance ACME = HermesInstance.of("acme");

    @Test
    void composesTheFullNameFromItsParts() {
        assertThat(HermesTopic.of(ACME, "orders").fullName()).isEqualTo("snc.acme.orders");
        assertThat(
                        HermesTopic.of(
                                        ACME,
                                        "orders",
                                        Optional.of("emea"),
                                        Optional.of("sn_streamconnect"))
                                .fullName())
                .isEqualTo("snc.acme.emea.sn_streamconnect.orders");
        assertThat(HermesTopic.of(ACME, "a.b").shortName()).isEqualTo("a.b");
    }

    @ParameterizedTest
    @CsvSource({
        "snc.acme.t, acme, t",
        "snc.acme.sn_streamconnect.t, acme, sn_streamconnect.t",
        "snc.acme.ns.sn_streamconnect.t, acme, ns.sn_streamconnect.t"
    })
    @DisplayName("H9: names of 3, 4 and 5 parts are taken")
    void readsFullNames(String name, String instance, String shortName) {
        HermesTopic topic = HermesTopic.of(ACME, name);
        assertThat(topic.instance()).isEqualTo(instance);
        assertThat(topic.shortName()).isEqualTo(shortName);
        assertThat(topic).isEqualTo(new HermesTopic(name)).hasToString(name);
    }

    @Test
    @DisplayName("H9: 199 and 200 characters are taken, 201 are not")
    void limitsTheLength() {
        String prefix = "snc.acme.";
        for (int length : new int[] {199, 200}) {
            String name = prefix + "x".repeat(length - prefix.length());
            assertThat(HermesTopic.of(ACME, name).fullName()).hasSize(length);
            assertThat(HermesTopic.of(ACME, name.substring(prefix.length())).fullName())
                    .hasSize(length);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HermesTopic.of(ACME, "x".repeat(201 - prefix.length())))
                .withMessageContaining("201")
                .withMessageContaining("200");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SNC.acme.t",
                "Snc.acme.t",
                "snc.acme",
                "snc.acme.",
                "snc..t",
                "snc.acme..t",
                ".t",
                "t.",
                "",
                " ",
                "a b",
                "snc.ACME.t",
                "snc.other.t",
                "__t",
                "snc.acme.__t",
                "ü",
                "a\nb"
            })
    void refusesOtherNamesInOneLine(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HermesTopic.of(ACME, name))
                .satisfies(e -> assertThat(e.getMessage()).isNotBlank().doesNotContain("\n"));
    }

    @Test
    void refusesPartsBesideAFullNameAndReservedNamespaces() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                HermesTopic.of(
                                        ACME, "snc.acme.t", Optional.of("emea"), Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HermesTopic.of(ACME, "t", Optional.of("sn_x"), Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HermesTopic.of(ACME, "t", Optional.empty(), Optional.of("sn_x")))
                .withMessageContaining("sn_logstoanalytics, sn_streamconnect");
    }

    @Test
    void namesGroups() {
        assertThat(GroupNames.customer(ACME, "plant")).isEqualTo("acme-consumer-plant");
        assertThat(GroupNames.hermes(ACME, "plant")).isEqualTo("snc.acme.plant");
        assertThat(GroupNames.problem("g")).isEmpty();
        assertThat(GroupNames.problem(" ")).isPresent();
        assertThat(GroupNames.problem("a\nb")).isPresent();
        assertThat(GroupNames.problem(" a")).isPresent();
        assertThat(GroupNames.problem("a".repeat(250))).isPresent();
        assertThat(GroupNames.hermesProblem(ACME, "snc.acme.x")).isEmpty();
        assertThat(GroupNames.hermesProblem(ACME, "snc.acme.")).isPresent();
        assertThat(GroupNames.hermesProblem(ACME, "other")).isPresent();
    }
}
