package dev.streamconnect.sandbox;

import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import dev.streamconnect.sandbox.client.Bootstrap;
import dev.streamconnect.sandbox.client.ClientFiles;
import dev.streamconnect.sandbox.client.SandboxCertificates;
import dev.streamconnect.sandbox.gateway.Gateway;
import java.nio.file.Path;
import java.util.Map;

/**
 * The parts of a running sandbox, as the control port needs them.
 *
 * @param folder where certificates of further clients are written
 */
public record LocalHermes(
        Path folder,
        Bootstrap bootstrap,
        Map<ClusterName, SandboxCluster> clusters,
        Gateway gateway,
        PublicAddresses addresses,
        SandboxCertificates certificates,
        ClientFiles clientFiles,
        PartitionLimits partitionLimits,
        ServerFiles serverFiles) {

    public LocalHermes {
        clusters = Map.copyOf(clusters);
    }

    public NearSide nearSide() {
        return addresses.nearSide();
    }

    public SandboxCluster cluster(ClusterName name) {
        return clusters.get(name);
    }
}
