package dev.streamconnect.camel;

import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.metrics.LinkMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.List;
import org.apache.camel.CamelContext;

/** Gives the counters to the meter registry of a context. Loaded only where Micrometer is. */
final class MicrometerMeters {

    private static final String REGISTRY_CLASS = "io.micrometer.core.instrument.MeterRegistry";

    /** Where camel-micrometer looks for it. */
    private static final String REGISTRY_NAME = "metricsRegistry";

    private MicrometerMeters() {}

    /**
     * Binds nothing without Micrometer, and without a meter registry in the context's registry.
     *
     * @return what takes the meters out again, to be closed after the engine
     */
    static List<AutoCloseable> bind(CamelContext context, StreamConnectEngine engine, String node) {
        return context.getClassResolver().resolveClass(REGISTRY_CLASS) == null
                ? List.of()
                : Binding.bind(context, engine, node);
    }

    private static final class Binding {

        static List<AutoCloseable> bind(
                CamelContext context, StreamConnectEngine engine, String node) {
            MeterRegistry found =
                    context.getRegistry().lookupByNameAndType(REGISTRY_NAME, MeterRegistry.class);
            if (found == null) {
                found = context.getRegistry().findSingleByType(MeterRegistry.class);
            }
            if (found == null) {
                return List.of();
            }
            LinkMeters links = new LinkMeters(found, node);
            engine.metrics().listen(links);
            CertificateMeters certificates = new CertificateMeters(found, node, Clock.systemUTC());
            engine.onCertificates(certificates::show);
            return List.of(links, certificates);
        }
    }
}
