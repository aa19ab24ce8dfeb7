package dev.streamconnect.sandbox.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.sandbox.SandboxException;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Rights")
class RightsTest {

    @Test
    @DisplayName("are by default reading and writing below the instance, and reading its groups")
    void byDefault() {
        assertThat(lines("default"))
                .containsExactlyInAnyOrder(
                        "PREFIXED TOPIC snc.acme. READ",
                        "PREFIXED TOPIC snc.acme. WRITE",
                        "PREFIXED TOPIC snc.acme. DESCRIBE",
                        "PREFIXED TOPIC snc.acme. DESCRIBE_CONFIGS",
                        "PREFIXED GROUP snc.acme. READ",
                        "PREFIXED GROUP snc.acme. DESCRIBE");
    }

    @Test
    @DisplayName("can be none, or of single topics and prefixes")
    void narrow() {
        assertThat(lines("none")).isEmpty();
        assertThat(lines("w@snc.acme.a"))
                .containsExactlyInAnyOrder(
                        "LITERAL TOPIC snc.acme.a WRITE",
                        "LITERAL TOPIC snc.acme.a DESCRIBE",
                        "LITERAL TOPIC snc.acme.a DESCRIBE_CONFIGS");
        assertThat(Rights.parse("r@a;w@b*", "worker", "acme"))
                .filteredOn(binding -> binding.pattern().name().equals("b"))
                .allMatch(binding -> binding.pattern().patternType() == PatternType.PREFIXED);
    }

    @Test
    @DisplayName("in another form are refused with the entry at fault")
    void refused() {
        assertThatThrownBy(() -> lines("r@a;x@b"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("'x@b'");
        assertThatThrownBy(() -> Rights.operations("READ,FLY"))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("'FLY'");
    }

    private static List<String> lines(String text) {
        return Rights.parse(text, "worker", "acme").stream().map(RightsTest::line).toList();
    }

    private static String line(AclBinding binding) {
        assertThat(binding.entry().principal()).isEqualTo("User:worker");
        return "%s %s %s %s"
                .formatted(
                        binding.pattern().patternType(),
                        binding.pattern().resourceType(),
                        binding.pattern().name(),
                        binding.entry().operation());
    }
}
