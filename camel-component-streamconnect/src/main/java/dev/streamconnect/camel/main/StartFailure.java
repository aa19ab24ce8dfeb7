package dev.streamconnect.camel.main;

import dev.streamconnect.record.RecordsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.camel.FailedToCreateRouteException;
import org.apache.camel.FailedToStartRouteException;
import org.apache.camel.PropertyBindingException;
import org.apache.camel.ResolveEndpointFailedException;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Words for what kept a context from starting: the part that names the place and the mend. */
final class StartFailure {

    private static final Pattern NO_PROPERTY =
            Pattern.compile("Property with key \\[([^]]+)](?: using function \\[(env|sys)])?.*");

    private static final Pattern CLIENT_PROPERTY =
            Pattern.compile(
                    ".* when binding property: ((?:producer|consumer)Properties)[.](\\S+).*");

    private StartFailure() {}

    /**
     * One line, or one for each fault where there are more. Camel's own wrappers, which repeat
     * whole routes, are left out.
     */
    static String describe(Throwable failure) {
        List<Throwable> chain = chain(failure);
        for (Throwable each : chain) {
            if (each instanceof RecordsException records) {
                return records.faults().size() == 1
                        ? records.faults().get(0).toString()
                        : records.getMessage();
            }
            if (each instanceof MarkedYamlEngineException yaml) {
                return yaml(yaml);
            }
        }
        return route(chain) + reason(chain);
    }

    /**
     * The same where Camel Main may have looked for routes in a folder that is missing.
     *
     * @param routes its pattern; null for none
     */
    static String describe(Throwable failure, String routes) {
        List<Throwable> chain = chain(failure);
        Throwable root = chain.get(chain.size() - 1);
        boolean noFolder =
                routes != null
                        && root instanceof NoSuchFileException missing
                        && routes.contains(String.valueOf(missing.getFile()));
        return noFolder
                ? "camel.main.routesIncludePattern: there is no folder "
                        + root.getMessage()
                        + "; make it, or correct the pattern"
                : describe(failure);
    }

    private static String reason(List<Throwable> chain) {
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
                return property(each.getMessage());
            }
        }
        boolean saysItself =
                root.getMessage() != null && root.getClass().getName().startsWith("org.apache");
        return saysItself
                ? firstLine(root)
                : root.getClass().getSimpleName() + ": " + firstLine(root);
    }

    /** The route that does not start, with its place where Camel knows it; or nothing. */
    private static String route(List<Throwable> chain) {
        for (Throwable each : chain) {
            if (each instanceof FailedToStartRouteException start) {
                return route(start.getRouteId(), start.getLocation());
            }
            if (each instanceof FailedToCreateRouteException create) {
                return route(create.getRouteId(), create.getLocation());
            }
        }
        return "";
    }

    private static String route(String id, String location) {
        return "route '" + id + "'" + (location == null ? "" : " (" + location + ")") + ": ";
    }

    private static String yaml(MarkedYamlEngineException fault) {
        String place =
                fault.getProblemMark()
                        .or(fault::getContextMark)
                        .map(StartFailure::place)
                        .orElse("a route");
        String problem = fault.getProblem() == null ? "no YAML" : fault.getProblem();
        return place + ": " + problem + "; correct the route";
    }

    private static String place(Mark mark) {
        return mark.getName() + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }

    /** Camel's sentence for a placeholder that nothing defines, in words with a mend. */
    private static String property(String message) {
        Matcher client = CLIENT_PROPERTY.matcher(message);
        if (client.matches()) {
            return ofClient("camel.component.hermes." + client.group(1), client.group(2));
        }
        Matcher said = NO_PROPERTY.matcher(message);
        if (!said.matches()) {
            return message;
        }
        String key = said.group(1);
        if (said.group(2) == null) {
            return "{{"
                    + key
                    + "}}: there is no property of that name; define it, or correct the placeholder";
        }
        String name = key.substring(key.indexOf(':') + 1);
        return "{{"
                + key
                + "}}: the "
                + (said.group(2).equals("env") ? "environment variable " : "system property ")
                + name
                + " is not set; set it before the start";
    }

    /** Without the value, which may be a misspelt password. */
    private static String binding(PropertyBindingException failure, Throwable root) {
        String prefix = failure.getOptionPrefix() == null ? "" : failure.getOptionPrefix();
        String dot = prefix.isEmpty() || prefix.endsWith(".") ? "" : ".";
        String option = prefix + dot + failure.getPropertyName();
        if (option.endsWith(".producerProperties") || option.endsWith(".consumerProperties")) {
            return ofClient(option, "linger.ms");
        }
        return root == failure
                ? option + ": there is no such option; correct its name"
                : option + ": has a value that cannot be set: " + property(firstLine(root));
    }

    /** How one of the client's own properties is written; Camel takes a dot for a field. */
    private static String ofClient(String option, String property) {
        return option
                + ": holds Kafka's own properties; write one as "
                + option
                + "["
                + property
                + "] = value";
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
