package dev.streamconnect.access;

import static dev.streamconnect.access.AccessRoles.ADMIN;
import static dev.streamconnect.access.AccessRoles.USER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Roles")
class AccessRolesTest {

    private static Caller caller(String... names) {
        Set<String> roles = new LinkedHashSet<>(List.of(names));
        return new Caller(roles, roles);
    }

    private static boolean allows(AccessRoles roles, boolean changes, Caller caller) {
        try {
            roles.check("pause", changes, caller);
            return true;
        } catch (SecurityException e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        ADMIN + ", true, true",
        USER + ", true, false",
        "viewer, false, false",
        "admin, false, false",
        "Message_Replication_Admin, false, false",
    })
    @DisplayName("allow the user to read, the admin to read and change, others nothing")
    void decide(String role, boolean reads, boolean changes) {
        assertThat(allows(AccessRoles.DEFAULT, false, caller("ann", role))).isEqualTo(reads);
        assertThat(allows(AccessRoles.DEFAULT, true, caller("ann", role))).isEqualTo(changes);
    }

    @Test
    @DisplayName("ask nothing of a runtime without users, unless they are required")
    void withoutUsers() {
        assertThatCode(() -> AccessRoles.DEFAULT.check("discard", true, null))
                .doesNotThrowAnyException();
        AccessRoles required = AccessRoles.of(ADMIN, USER, true);
        refusal(required, "discard", true, null)
                .hasMessage(
                        "discard is refused: a caller who is not logged in has none of the roles message_replication_admin");
        assertThat(allows(required, false, null)).isFalse();
        assertThat(allows(required, false, caller(USER))).isTrue();
    }

    private static AbstractThrowableAssert<?, ?> refusal(
            AccessRoles roles, String operation, boolean changes, Caller caller) {
        return assertThatThrownBy(() -> roles.check(operation, changes, caller))
                .isInstanceOf(SecurityException.class);
    }

    @Test
    @DisplayName("refuse in one line that names operation, caller and roles")
    void line() {
        refusal(AccessRoles.DEFAULT, "pause", true, caller("ann", USER))
                .hasMessage(
                        "pause is refused: the caller (ann, message_replication_user) has none of the roles message_replication_admin");
        refusal(AccessRoles.DEFAULT, "status", false, caller())
                .hasMessage(
                        "status is refused: the caller (without a name) has none of the roles message_replication_user, message_replication_admin");
        String[] many = IntStream.range(0, 500).mapToObj(i -> "group " + i).toArray(String[]::new);
        refusal(AccessRoles.DEFAULT, "pause", true, caller(many))
                .hasMessageContaining("group 9 and 490 more)")
                .message()
                .hasSizeLessThan(300);
        refusal(AccessRoles.DEFAULT, "pause", true, caller("a\r\nb"))
                .hasMessageContaining("(a??b)");
    }

    @Test
    @DisplayName("have the names that the options give them")
    void names() {
        AccessRoles roles = AccessRoles.of(" ops , admin,", "viewer", false);
        assertThat(roles.admin().stream().collect(Collectors.joining("|"))).isEqualTo("ops|admin");
        assertThat(allows(roles, true, caller("admin"))).isTrue();
        assertThat(allows(roles, false, caller("ops"))).isTrue();
        assertThat(allows(roles, false, caller("viewer"))).isTrue();
        assertThat(allows(roles, true, caller("viewer"))).isFalse();
        assertThat(allows(roles, true, caller(ADMIN))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ",", " , "})
    @DisplayName("refuse an option that names none")
    void none(String text) {
        assertThatThrownBy(() -> AccessRoles.of(text, USER, false))
                .hasMessage("adminRoles: names no role; leave it out for the default");
        assertThatThrownBy(() -> AccessRoles.of(ADMIN, text, false))
                .hasMessage("userRoles: names no role; leave it out for the default");
    }
}
