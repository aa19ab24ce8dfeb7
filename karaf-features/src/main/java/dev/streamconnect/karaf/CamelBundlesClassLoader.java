package dev.streamconnect.karaf;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/**
 * Sees what the bundles see that offer something to Camel: components, data formats, languages,
 * converters. Camel finds these by files below {@code META-INF/services/org/apache/camel}, and asks
 * one class loader for them all. Bundles may come and go meanwhile. Thread-safe.
 */
final class CamelBundlesClassLoader extends ClassLoader {

    private static final String OFFERS = "META-INF/services/org/apache/camel";

    private record Seen(long modified, boolean offers) {}

    private final BundleContext bundles;
    private final Map<Long, Seen> seen = new ConcurrentHashMap<>();

    /**
     * @param bundles of the runtime; its own bundle is asked first, through the parent
     */
    CamelBundlesClassLoader(BundleContext bundles) {
        super(CamelBundlesClassLoader.class.getClassLoader());
        this.bundles = bundles;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        for (Bundle bundle : offering()) {
            try {
                return bundle.loadClass(name);
            } catch (ClassNotFoundException e) {
                // The next one may have it.
            }
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    protected URL findResource(String name) {
        for (Bundle bundle : offering()) {
            URL found = bundle.getResource(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        List<URL> all = new ArrayList<>();
        for (Bundle bundle : offering()) {
            Enumeration<URL> found = bundle.getResources(name);
            if (found != null) {
                all.addAll(Collections.list(found));
            }
        }
        return Collections.enumeration(all);
    }

    private List<Bundle> offering() {
        List<Bundle> offering = new ArrayList<>();
        for (Bundle bundle : bundles.getBundles()) {
            if (isResolved(bundle) && offers(bundle)) {
                offering.add(bundle);
            }
        }
        return offering;
    }

    /** Looked up once for each content of a bundle: Camel loads thousands of files and classes. */
    private boolean offers(Bundle bundle) {
        long modified = bundle.getLastModified();
        return seen.compute(
                        bundle.getBundleId(),
                        (id, known) ->
                                known != null && known.modified == modified
                                        ? known
                                        : new Seen(
                                                modified,
                                                bundle.findEntries(OFFERS, "*", true) != null))
                .offers;
    }

    private static boolean isResolved(Bundle bundle) {
        int states = Bundle.RESOLVED | Bundle.STARTING | Bundle.ACTIVE | Bundle.STOPPING;
        return (bundle.getState() & states) != 0
                && bundle.getHeaders().get("Fragment-Host") == null;
    }
}
