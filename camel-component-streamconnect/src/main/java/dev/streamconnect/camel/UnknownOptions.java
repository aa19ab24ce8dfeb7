package dev.streamconnect.camel;

import dev.streamconnect.cluster.NearNames;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.EndpointUriFactory;

/**
 * Refuses options of a URI that do not exist, without their values: a misspelt one may be a
 * password.
 */
public final class UnknownOptions {

    private UnknownOptions() {}

    /**
     * Refuses what is left of a URI's options.
     *
     * @param scheme of the URI
     * @param endpoint the URI without options
     * @param left names that nobody knows; nothing happens if it is empty
     * @throws IllegalArgumentException one line: option, place, what may be meant
     */
    public static void refuse(
            CamelContext context, String scheme, String endpoint, Collection<String> left) {
        if (left.isEmpty()) {
            return;
        }
        String name = new TreeSet<>(left).first();
        EndpointUriFactory factory =
                context.getCamelContextExtension().getEndpointUriFactory(scheme);
        List<String> near =
                NearNames.of(name, factory == null ? Set.of() : factory.propertyNames());
        throw new IllegalArgumentException(
                name
                        + ": "
                        + endpoint
                        + " has no such option; "
                        + (near.isEmpty()
                                ? "remove it"
                                : "did you mean " + String.join(" or ", near) + "?"));
    }
}
