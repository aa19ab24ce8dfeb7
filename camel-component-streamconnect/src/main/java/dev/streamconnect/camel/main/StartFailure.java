package dev.streamconnect.camel.main;

import dev.streamconnect.record.RecordsException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.camel.PropertyBindingException;
import org.apache.camel.ResolveEndpointFailedException;

/** Words for what kept a context from starting: the part that names the place and the mend. */
final class StartFailure {

    private StartFailure() {}

    /**
     * One line, or one for each fault where there are more. Camel's own wrappers, which repeat
     * whole routes, are left out.
     */
    static String describe(Throwable failure) {
        List<Throwable> chain = chain(failure);
        for (Throwable each : chain) {
            if (each instanceof RecordsException) {
                return each.getMessage();
            }
        }
        Throwable root = chain.get(chain.size() - 1);
        for (Throwable each : chain) {
            if (each instanceof PropertyBindingException binding) {
                return binding(binding, root);
            }
        }
        for (int i = chain.size() - 1; i >= 0; i--) {
            Throwable each = chain.get(i);
            if (each instanceof ResolveEndpointFailedException && each == root) {
                return firstLine(each);
            }
            boolean ofUsers =
                    each instanceof IllegalArgumentException
                            || each instanceof IllegalStateException;
            if (ofUsers && each.getMessage() != null) {
                return each.getMessage();
            }
        }
        return root.getClass().getSimpleName() + ": " + firstLine(root);
    }

    /** Without the value, which may be a misspelt password. */
    private static String binding(PropertyBindingException failure, Throwable root) {
        String prefix = failure.getOptionPrefix() == null ? "" : failure.getOptionPrefix();
        String dot = prefix.isEmpty() || prefix.endsWith(".") ? "" : ".";
        String option = prefix + dot + failure.getPropertyName();
        return root == failure
                ? option + ": there is no such option; correct its name"
                : option + ": has a value that cannot be set: " + firstLine(root);
    }

    private static List<Throwable> chain(Throwable failure) {
        List<Throwable> chain = new ArrayList<>();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable at = failure; at != null && seen.add(at); at = at.getCause()) {
            chain.add(at);
        }
        return chain;
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? "no reason given" : message.strip().lines().findFirst().orElse("");
    }
}
