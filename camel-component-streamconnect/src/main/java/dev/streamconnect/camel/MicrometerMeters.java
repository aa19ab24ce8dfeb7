package dev.streamconnect.camel;

import dev.streamconnect.metrics.LinkMeters;
import dev.streamconnect.metrics.MetricsWindows;
import io.micrometer.core.instrument.MeterRegistry;
import org.apache.camel.CamelContext;

/** Gives the counters to the meter registry of a context. Loaded only where Micrometer is. */
final class MicrometerMeters {

    private static final String REGISTRY_CLASS = "io.micrometer.core.instrument.MeterRegistry";

    /** Where camel-micrometer looks for it. */
    private static final String REGISTRY_NAME = "metricsRegistry";

    private MicrometerMeters() {}

    /** Does nothing without Micrometer, and without a meter registry in the context's registry. */
    static void bind(CamelContext context, MetricsWindows metrics, String node) {
        if (context.getClassResolver().resolveClass(REGISTRY_CLASS) != null) {
            Binding.bind(context, metrics, node);
        }
    }

    private static final class Binding {

        static void bind(CamelContext context, MetricsWindows metrics, String node) {
            MeterRegistry found =
                    context.getRegistry().lookupByNameAndType(REGISTRY_NAME, MeterRegistry.class);
            if (found == null) {
                found = context.getRegistry().findSingleByType(MeterRegistry.class);
            }
            if (found != null) {
                metrics.listen(new LinkMeters(found, node));
            }
        }
    }
}
