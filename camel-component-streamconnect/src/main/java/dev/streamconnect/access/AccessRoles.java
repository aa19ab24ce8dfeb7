package dev.streamconnect.access;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which roles an operation takes. One that may change may also read. Immutable.
 *
 * @param admin any of these may change
 * @param user any of these may read
 * @param required whether a call without a user is refused; else it is allowed, since a runtime
 *     without users has no roles
 */
public record AccessRoles(Set<String> admin, Set<String> user, boolean required) {

    /** Names of the roles, as a ServiceNow instance has them. */
    public static final String ADMIN = "message_replication_admin";

    /** As {@link #ADMIN}. */
    public static final String USER = "message_replication_user";

    /** Of a context that says nothing else. */
    public static final AccessRoles DEFAULT = of(ADMIN, USER, false);

    /** Most names of a caller that a refusal has. */
    private static final int MOST_NAMES = 10;

    /**
     * Reads the options.
     *
     * @param adminRoles with commas
     * @param userRoles with commas
     * @throws IllegalArgumentException if one names no role; one line
     */
    public static AccessRoles of(String adminRoles, String userRoles, boolean required) {
        return new AccessRoles(
                read("adminRoles", adminRoles), read("userRoles", userRoles), required);
    }

    private static Set<String> read(String option, String text) {
        Set<String> roles =
                Stream.of(text.split(","))
                        .map(String::strip)
                        .filter(role -> !role.isEmpty())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
        if (roles.isEmpty()) {
            throw new IllegalArgumentException(
                    option + ": names no role; leave it out for the default");
        }
        return roles;
    }

    /**
     * Refuses what the caller may not do.
     *
     * @param operation its name, as users know it
     * @param changes whether it changes something, and does not only read
     * @param caller null for nobody
     * @throws SecurityException one line that names the operation, the caller and the roles
     */
    public void check(String operation, boolean changes, Caller caller) {
        if (caller == null ? required : !isAllowed(changes, caller)) {
            throw new SecurityException(
                    operation
                            + " is refused: "
                            + name(caller)
                            + " has none of the roles "
                            + String.join(", ", needed(changes)));
        }
    }

    private boolean isAllowed(boolean changes, Caller caller) {
        return needed(changes).stream().anyMatch(caller.roles()::contains);
    }

    private Set<String> needed(boolean changes) {
        Set<String> needed = new LinkedHashSet<>();
        if (!changes) {
            needed.addAll(user);
        }
        needed.addAll(admin);
        return needed;
    }

    /** Names come from elsewhere: they neither end the line nor make it endless. */
    private static String name(Caller caller) {
        if (caller == null) {
            return "a caller who is not logged in";
        }
        List<String> names =
                caller.names().stream()
                        .limit(MOST_NAMES)
                        .map(name -> String.valueOf(name).replaceAll("\\p{Cntrl}", "?"))
                        .toList();
        int more = caller.names().size() - names.size();
        return "the caller ("
                + (names.isEmpty() ? "without a name" : String.join(", ", names))
                + (more > 0 ? " and " + more + " more" : "")
                + ")";
    }
}
