package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.camel.CapturedLogs;
import dev.streamconnect.camel.RecordingEngine.RecordingLink;
import dev.streamconnect.camel.RecordsStatus;
import dev.streamconnect.engine.LinkStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.camel.CamelContext;
import org.apache.camel.ServiceStatus;
import org.apache.logging.log4j.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A context whose records change; the test decides when it looks at them. */
abstract class LiveRecordsTestSupport extends ReplicationTestSupport {

    protected final CapturedLogs logs = new CapturedLogs("dev.streamconnect", Level.INFO);

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getComponent("replication", ReplicationComponent.class).setRecordsInterval(0);
    }

    @BeforeEach
    void forgetTheStart() {
        engine.opened.clear();
        logs.lines().clear();
    }

    @AfterEach
    void closeLogs() {
        logs.close();
    }

    ReplicationComponent component() {
        return context.getComponent("replication", ReplicationComponent.class);
    }

    /** Other topic replications, taken up. */
    void change(String topicReplications) throws Exception {
        write(topicReplications);
        settle();
    }

    /** Another file, taken up. */
    void changeFile(String text) throws Exception {
        Files.writeString(file(), text);
        settle();
    }

    Path file() {
        return folder.resolve("replications.yaml");
    }

    /** As often as it takes to take up what is there. */
    void settle() {
        component().watch().look();
        component().watch().look();
    }

    RecordingLink link(String id) {
        return engine.links.get(id);
    }

    Set<String> openLinks() {
        Set<String> open = new TreeSet<>();
        engine.links.forEach(
                (id, link) -> {
                    if (!link.closed) {
                        open.add(id);
                    }
                });
        return open;
    }

    ServiceStatus route(String id) {
        return context.getRouteController().getRouteStatus(id);
    }

    List<LinkStatus> states() {
        return component().states();
    }

    LinkStatus state(String id) {
        return states().stream().filter(s -> s.id().equals(id)).findFirst().orElseThrow();
    }

    RecordsStatus records() {
        return template.requestBody(
                "replication:*?operation=status&by=records", null, RecordsStatus.class);
    }

    /** Lines that say that the records can't be used. */
    List<String> refusals() {
        return logs.lines().stream().filter(line -> line.contains("is not used, version")).toList();
    }

    void assertNothingOpened() {
        assertThat(engine.opened).isEmpty();
    }
}
