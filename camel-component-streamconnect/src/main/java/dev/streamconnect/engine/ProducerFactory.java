package dev.streamconnect.engine;

import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.ClusterResourceListener;

/** Builds the producers of a destination client, one after another. */
interface ProducerFactory {

    /**
     * Builds one; may throw what {@link dev.streamconnect.cluster.KafkaClients#producer} throws.
     *
     * @param onCluster told the cluster id with each metadata answer
     * @param batchSize size of a batch in bytes
     * @param plain without idempotence, whatever the connection says
     */
    Producer<byte[], byte[]> build(ClusterResourceListener onCluster, int batchSize, boolean plain);
}
