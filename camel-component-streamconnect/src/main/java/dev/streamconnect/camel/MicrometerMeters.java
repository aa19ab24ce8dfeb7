package dev.streamconnect.camel;

import dev.streamconnect.engine.StreamConnectEngine;
import dev.streamconnect.metrics.LinkMeters;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.apache.camel.CamelContext;

/** Gives the counters to the meter registry of a context. Loaded only where Micrometer is. */
final class MicrometerMeters {

    private static final String REGISTRY_CLASS = "io.micrometer.core.instrument.MeterRegistry";

    /** Where camel-micrometer looks for it. */
    private static final String REGISTRY_NAME = "metricsRegistry";

    private MicrometerMeters() {}

    /** Does nothing without Micrometer, and without a meter registry in the context's registry. */
    static void bind(CamelContext context, StreamConnectEngine engine, String node) {
        if (context.getClassResolver().resolveClass(REGISTRY_CLASS) != null) {
            Binding.bind(context, engine, node);
        }
    }

    private static final class Binding {

        static void bind(CamelContext context, StreamConnectEngine engine, String node) {
            MeterRegistry found =
                    context.getRegistry().lookupByNameAndType(REGISTRY_NAME, MeterRegistry.class);
            if (found == null) {
                found = context.getRegistry().findSingleByType(MeterRegistry.class);
            }
            if (found != null) {
                engine.metrics().listen(new LinkMeters(found, node));
                engine.onCertificates(new CertificateMeters(found, node, Clock.systemUTC())::show);
            }
        }
    }
}
