package dev.streamconnect.it;

import dev.streamconnect.engine.LinkState;
import dev.streamconnect.engine.LinkStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.main.Main;
import org.awaitility.Awaitility;

/** A replicator in this JVM: Camel Main with an application.properties. */
final class Replicator implements AutoCloseable {

    private final Main main;
    private final ProducerTemplate template;

    private Replicator(Main main) {
        this.main = main;
        this.template = main.getCamelContext().createProducerTemplate();
    }

    static Replicator start(ReplicatorSettings settings, Path folder) throws Exception {
        return start(settings, folder, Map.of());
    }

    /**
     * @param beans that its routes use, by name
     */
    static Replicator start(ReplicatorSettings settings, Path folder, Map<String, Object> beans)
            throws Exception {
        Path application = settings.writeTo(folder);
        Main main = new Main();
        beans.forEach(main::bind);
        main.setDefaultPropertyPlaceholderLocation("file:" + application);
        main.start();
        return new Replicator(main);
    }

    Main main() {
        return main;
    }

    @SuppressWarnings("unchecked")
    LinkStatus status(String id) {
        List<LinkStatus> all =
                template.requestBody("replication:" + id + "?operation=status", null, List.class);
        return all.get(0);
    }

    void awaitState(String id, LinkState state, Duration limit) {
        Awaitility.await(id + " is " + state)
                .atMost(limit)
                .until(() -> status(id).state() == state);
    }

    /** Waits until so many messages are acknowledged by the destination. */
    void awaitMessages(String id, long count, Duration limit) {
        Awaitility.await("messages of " + id)
                .atMost(limit)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(
                        () ->
                                org.assertj.core.api.Assertions.assertThat(status(id).messages())
                                        .as("%s", status(id))
                                        .isGreaterThanOrEqualTo(count));
    }

    @Override
    public void close() {
        main.stop();
    }
}
