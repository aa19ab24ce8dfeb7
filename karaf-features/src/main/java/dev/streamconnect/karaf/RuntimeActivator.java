package dev.streamconnect.karaf;

import java.nio.file.Path;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the Camel context of {@code etc/streamconnect} while the bundle is active. {@code
 * bundle:restart} takes up changed files.
 */
public final class RuntimeActivator implements BundleActivator {

    private static final Logger LOG = LoggerFactory.getLogger(RuntimeActivator.class);

    /** Longer than Camel's own limit for routes in flight, which the properties may lower. */
    private static final long STOP_SECONDS = 60;

    private ConfiguredContext running;

    @Override
    public void start(BundleContext bundle) {
        Path folder = Path.of(System.getProperty("karaf.etc", "etc"), "streamconnect");
        running = new ConfiguredContext(folder, new CamelBundlesClassLoader(bundle));
        running.start();
    }

    @Override
    public void stop(BundleContext bundle) throws InterruptedException {
        if (!running.stop(STOP_SECONDS)) {
            LOG.warn("the Camel context has not stopped within {} s", STOP_SECONDS);
        }
    }
}
