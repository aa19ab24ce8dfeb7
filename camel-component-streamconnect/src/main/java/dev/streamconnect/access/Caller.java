package dev.streamconnect.access;

import java.lang.reflect.Method;
import java.security.AccessController;
import java.security.Principal;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import javax.security.auth.Subject;

/**
 * A user whom the runtime has authenticated.
 *
 * @param names of all principals
 * @param roles that the user has. In Karaf, whose principals say which of them is a role, a user or
 *     group of a role's name has not that role; elsewhere each principal counts
 */
public record Caller(Set<String> names, Set<String> roles) {

    /** The principal that Karaf makes of a role; its class is not seen from here. */
    private static final String ROLE = "RolePrincipal";

    private static final Method CURRENT = currentOfNewerJava();

    /**
     * The user of a subject.
     *
     * @param subject null for none
     * @return null for none
     */
    public static Caller of(Subject subject) {
        return subject == null ? null : of(subject.getPrincipals());
    }

    /** The user who has these principals. */
    public static Caller of(Collection<? extends Principal> principals) {
        Set<String> roles =
                names(
                        principals.stream()
                                .filter(each -> each.getClass().getSimpleName().equals(ROLE))
                                .toList());
        Set<String> all = names(principals);
        return new Caller(all, roles.isEmpty() ? all : roles);
    }

    /**
     * For whom this thread runs: set by an authenticated JMX connection, by a console that has a
     * login, and by {@code Subject.doAs}.
     *
     * @return null for nobody
     */
    public static Caller ofThread() {
        return of(CURRENT == null ? currentOfJava17() : currentBy(CURRENT));
    }

    private static Set<String> names(Collection<? extends Principal> principals) {
        return principals.stream()
                .map(Principal::getName)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @SuppressWarnings("removal")
    private static Subject currentOfJava17() {
        return Subject.getSubject(AccessController.getContext());
    }

    private static Method currentOfNewerJava() {
        try {
            return Subject.class.getMethod("current");
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Subject currentBy(Method method) {
        try {
            return (Subject) method.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the user of this thread can't be told", e);
        }
    }
}
