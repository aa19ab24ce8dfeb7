package dev.streamconnect.access;

import java.security.Principal;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.Subject;

/** Users as Karaf, and others, authenticate them. */
public final class Users {

    /** As those of Karaf: what counts is the name of the class. */
    public record RolePrincipal(String getName) implements Principal {}

    /** A user, a group or, where there is nothing else, a role. */
    public record NamedPrincipal(String getName) implements Principal {}

    private Users() {}

    /** A user of Karaf. */
    public static Subject ofKaraf(String user, String... roles) {
        return subject(
                Stream.concat(
                        Stream.of(new NamedPrincipal(user)),
                        Arrays.stream(roles).map(RolePrincipal::new)));
    }

    /** A user with principals of which nobody says what they are. */
    public static Subject named(String... names) {
        return subject(Arrays.stream(names).map(NamedPrincipal::new));
    }

    private static Subject subject(Stream<Principal> principals) {
        Set<Principal> all = principals.collect(Collectors.toCollection(LinkedHashSet::new));
        return new Subject(true, all, Set.of(), Set.of());
    }

    /** Runs something for a user; its exceptions are its own. */
    @SuppressWarnings("removal")
    public static <T> T as(Subject user, PrivilegedExceptionAction<T> action) throws Exception {
        try {
            return Subject.doAs(user, action);
        } catch (PrivilegedActionException e) {
            throw e.getException();
        }
    }
}
