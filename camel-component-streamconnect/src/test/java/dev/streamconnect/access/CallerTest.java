package dev.streamconnect.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import javax.security.auth.Subject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The caller of an operation")
class CallerTest {

    @Test
    @DisplayName("is nobody where the runtime has no users")
    void nobody() {
        assertThat(Caller.ofThread()).isNull();
        assertThat(Caller.of((Subject) null)).isNull();
    }

    @Test
    @DisplayName("is the subject that the thread runs for, and nobody afterwards")
    void thread() throws Exception {
        Caller caller = Users.as(Users.named("ann"), Caller::ofThread);
        assertThat(caller).isEqualTo(new Caller(Set.of("ann"), Set.of("ann")));
        assertThat(Caller.ofThread()).isNull();
    }

    @Test
    @DisplayName("in Karaf has the roles that it has, not those that it is named after")
    void karaf() {
        Caller caller = Caller.of(Users.ofKaraf(AccessRoles.ADMIN, AccessRoles.USER, "ssh"));
        assertThat(caller.roles()).containsExactlyInAnyOrder(AccessRoles.USER, "ssh");
        assertThat(caller.names())
                .containsExactlyInAnyOrder(AccessRoles.ADMIN, AccessRoles.USER, "ssh");
    }

    @Test
    @DisplayName("elsewhere has each principal as a role; a subject without any is a caller, too")
    void principals() throws Exception {
        assertThat(Caller.of(Users.named("ann", "operators")).roles())
                .containsExactlyInAnyOrder("ann", "operators");
        AtomicReference<Caller> found = new AtomicReference<>();
        Users.as(
                new Subject(),
                () -> {
                    found.set(Caller.ofThread());
                    return null;
                });
        assertThat(found.get()).isEqualTo(new Caller(Set.of(), Set.of()));
    }
}
