package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees other processes in the group of a source, and tells the links what they do not share with
 * this node where it has no database that others can use. One housekeeping thread at a time.
 */
final class OtherMembers {

    /**
     * A member that is there at two looks is alive: one that was killed is gone by then, since a
     * session ends after 45 s.
     */
    private static final Duration LOOK = Duration.ofSeconds(60);

    private final ConnectionSettings settings;
    private final String instanceId;
    private final Clock clock;
    private final TopicProbe probe;
    private Map<String, String> seen = Map.of();
    private Instant nextLook = Instant.EPOCH;

    /**
     * @param instanceId this node's own place in the group
     */
    OtherMembers(ConnectionSettings settings, String instanceId, Clock clock, TopicProbe probe) {
        this.settings = settings;
        this.instanceId = instanceId;
        this.clock = clock;
        this.probe = probe;
    }

    /** Asks the cluster if it is time; blocks for seconds at most. */
    void look(Collection<SourceTopic> topics) {
        Instant now = clock.instant();
        List<KafkaLink> alone =
                topics.stream().map(SourceTopic::link).filter(KafkaLink::isStoreOfOneNode).toList();
        if (alone.isEmpty() || now.isBefore(nextLook)) {
            return;
        }
        nextLook = now.plus(LOOK);
        Optional<Map<String, String>> others = probe.otherMembers(settings.groupId(), instanceId);
        if (others.isEmpty()) {
            return;
        }
        Map<String, String> still = new HashMap<>(others.get());
        still.keySet().retainAll(seen.keySet());
        seen = others.get();
        String notice = still.values().stream().sorted().findFirst().map(this::text).orElse("");
        alone.forEach(link -> link.otherMember(settings.role().name(), notice));
    }

    private String text(String member) {
        return "group %s at %s has another member (%s)"
                .formatted(settings.groupId(), settings.displayName(), member);
    }
}
