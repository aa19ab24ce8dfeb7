package dev.streamconnect.engine;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One producer from its building to its end. When it sees the cluster behind its address change, it
 * ends itself at once, on the I/O thread, before a later batch can overtake an earlier one; a new
 * generation sends again what is unacknowledged.
 */
final class ProducerGeneration implements ClusterResourceListener {

    private static final Logger LOG = LoggerFactory.getLogger(ProducerGeneration.class);

    private final Consumer<ShipmentAttempt> onAttemptDone;
    private final Consumer<ProducerGeneration> onClusterChange;
    private volatile Producer<byte[], byte[]> producer;
    private volatile String clusterId;
    private volatile boolean retired;

    ProducerGeneration(
            Consumer<ShipmentAttempt> onAttemptDone, Consumer<ProducerGeneration> onClusterChange) {
        this.onAttemptDone = onAttemptDone;
        this.onClusterChange = onClusterChange;
    }

    void use(Producer<byte[], byte[]> built) {
        producer = built;
    }

    Producer<byte[], byte[]> producer() {
        return producer;
    }

    /** Cluster that it talks to; null before the first metadata answer. */
    String clusterId() {
        return clusterId;
    }

    /**
     * True once nothing that it still reports counts: what it carried is sent again by its
     * successor.
     */
    boolean isRetired() {
        return retired;
    }

    /**
     * Ends the producer at once; what is in flight fails. Called from any thread, also from a
     * callback. Idempotent.
     */
    void retire() {
        retired = true;
        Producer<byte[], byte[]> closing = producer;
        if (closing != null) {
            try {
                closing.close(Duration.ZERO);
            } catch (RuntimeException e) {
                LOG.debug("closing a retired producer", e);
            }
        }
    }

    void attemptDone(ShipmentAttempt attempt) {
        if (!retired) {
            onAttemptDone.accept(attempt);
        }
    }

    @Override
    public void onUpdate(ClusterResource resource) {
        String seen = resource.clusterId();
        if (seen == null || seen.equals(clusterId)) {
            return;
        }
        boolean changed = clusterId != null;
        clusterId = seen;
        if (changed && !retired) {
            retire();
            onClusterChange.accept(this);
        }
    }
}
