package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.OptionalRight;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;

/**
 * Looks at the topics of a destination client before they are sent to and whenever they are in
 * doubt, so that a missing or forbidden topic costs the others nothing; opens and closes them in
 * the {@link Outbox} and tells their links. One housekeeping thread at a time.
 */
final class DestinationProbe implements AutoCloseable {

    private final TopicProbe probe;
    private final Outbox outbox;
    private final ProducerSupervisor supervisor;
    private final ConnectionSettings settings;
    private final Clock clock;

    /**
     * @param probe closed with this
     * @param supervisor told what the cluster answered
     */
    DestinationProbe(
            TopicProbe probe,
            Outbox outbox,
            ProducerSupervisor supervisor,
            ConnectionSettings settings,
            Clock clock) {
        this.probe = probe;
        this.outbox = outbox;
        this.supervisor = supervisor;
        this.settings = settings;
        this.clock = clock;
    }

    /** The next question is asked by a new client. */
    void renew() {
        probe.renew();
    }

    /** Probes topics whose state is in doubt or old; blocks for seconds at most. */
    void probe() {
        List<DestinationTopic> due = outbox.takeDueForProbe();
        if (!due.isEmpty() && !outbox.isClosed()) {
            Map<String, TopicProbe.Result> results =
                    probe.describe(
                            due.stream().map(DestinationTopic::name).toList(),
                            AclOperation.WRITE,
                            true);
            supervisor.refused(probe.isRefused());
            due.forEach(topic -> probed(topic, results.get(topic.name())));
        }
    }

    private void probed(DestinationTopic topic, TopicProbe.Result result) {
        Instant now = clock.instant();
        List<Shipment> givenBack = new ArrayList<>();
        DestinationTopic.ProbeOutcome outcome = outbox.probed(topic, result, givenBack);
        if (!(result.failure() instanceof FailureVerdict.Transient)) {
            supervisor.heard();
        }
        if (result.isUsable()) {
            seen(OptionalRight.DESTINATION_SETTINGS, topic, result.settingsDenied());
            seen(OptionalRight.IDEMPOTENCE, topic, supervisor.isIdempotenceDenied());
        }
        switch (outcome) {
            case OPENED -> {
                topic.monitors().forEach(m -> m.clear(DestinationTopic.SCOPE));
                topic.monitors().forEach(LinkMonitor::destinationOpened);
            }
            case OPEN -> topic.monitors().forEach(m -> m.clear(DestinationTopic.SCOPE));
            case CLOSED -> {
                Problem problem = Problem.of(result.failure(), now);
                topic.monitors().forEach(m -> m.problem(DestinationTopic.SCOPE, problem));
                givenBack.forEach(s -> s.listener().failed(s, result.failure()));
            }
            case IN_DOUBT -> {
                // It is asked again in a second.
            }
        }
    }

    private void seen(OptionalRight right, DestinationTopic topic, Boolean missing) {
        topic.monitors().forEach(m -> m.right(settings, right, topic.name(), missing));
    }

    @Override
    public void close() {
        probe.close();
    }
}
