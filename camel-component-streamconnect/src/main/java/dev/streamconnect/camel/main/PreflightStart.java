package dev.streamconnect.camel.main;

import dev.streamconnect.camel.replication.ReplicationComponent;
import dev.streamconnect.preflight.PreflightReport;
import java.util.Map;
import org.apache.camel.main.Main;

/**
 * Reads the options of an application as {@link StreamConnectMain} does and runs a preflight with
 * them. Loads no route, starts nothing, opens no undelivered store. Needs camel-main.
 */
public final class PreflightStart {

    /** What does not concern a preflight, and would log or start something. */
    private static final Map<String, String> OFF =
            Map.of(
                    "camel.main.routesCollectorEnabled", "false",
                    "camel.main.routesIncludePattern", "false",
                    "camel.main.autoConfigurationLogSummary", "false",
                    "camel.main.startupSummaryLevel", "Off");

    private PreflightStart() {}

    /**
     * Runs it; takes some seconds.
     *
     * @param application path of the application.properties; null to look where Camel Main does
     * @param properties win over that file
     * @param id id of a topic replication, or a pattern
     * @param sendsTestMessage true sends a message to each destination topic, which stays there
     * @throws IllegalArgumentException for a mistake in options or records; one line, or one for
     *     each fault of the records
     */
    public static PreflightReport run(
            String application,
            Map<String, String> properties,
            String id,
            boolean sendsTestMessage) {
        Main main = new Main();
        try {
            StreamConnectMain.configure(
                    main, application == null ? new String[0] : new String[] {application});
            EnvironmentOptions.of(System.getenv()).forEach(main::addOverrideProperty);
            properties.forEach(main::addOverrideProperty);
            OFF.forEach(main::addOverrideProperty);
            main.init();
            return main.getCamelContext()
                    .getComponent("replication", ReplicationComponent.class)
                    .preflight(id, sendsTestMessage);
        } catch (Exception e) {
            throw new IllegalArgumentException(StartFailure.describe(e), e);
        } finally {
            close(main);
        }
    }

    private static void close(Main main) {
        main.completed();
        if (main.getCamelContext() != null) {
            main.getCamelContext().stop();
        }
    }
}
