package dev.streamconnect.camel.console;

import org.apache.camel.CamelContext;
import org.apache.camel.console.DevConsoleRegistry;
import org.apache.camel.health.HealthCheckRegistry;

/** Shows the states of this node where Camel has a place for them. */
public final class Consoles {

    private Consoles() {}

    /** Adds health check and dev console to the registries that the context has. Idempotent. */
    public static void register(CamelContext context) {
        HealthCheckRegistry checks = HealthCheckRegistry.get(context);
        if (checks != null) {
            LinksHealthCheck.register(context, checks);
        }
        DevConsoleRegistry consoles =
                context.getCamelContextExtension().getContextPlugin(DevConsoleRegistry.class);
        if (consoles != null) {
            LinksDevConsole.register(context, consoles);
        }
    }
}
