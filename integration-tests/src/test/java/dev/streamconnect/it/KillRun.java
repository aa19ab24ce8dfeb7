package dev.streamconnect.it;

import dev.streamconnect.it.Sandbox.Role;
import dev.streamconnect.it.Sandbox.Side;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;

/**
 * A replicator process that is killed while {@link Traffic} flows through it, each time by {@code
 * kill -9} with messages in motion, and started again. Before every second kill acknowledgements
 * come late, so that much is polled and not settled.
 *
 * @param messages to send
 * @param perSecond rate of sending
 * @param kills spread over them
 */
record KillRun(int messages, int perSecond, int kills) {

    private static final Duration HELD_BACK = Duration.ofMillis(150);
    private static final Duration LIMIT = Duration.ofSeconds(120);

    /**
     * Runs until the source's group has committed everything; the replicator is stopped then.
     *
     * @param outputsPerMessage about how many messages arrive for each that is sent
     */
    void run(
            Sandbox sandbox,
            ReplicatorSettings settings,
            Path folder,
            String topic,
            Traffic traffic,
            double outputsPerMessage) {
        String destination = sandbox.topicName(topic);
        ExecutorService sender = Executors.newSingleThreadExecutor();
        ReplicatorProcess replicator = ReplicatorProcess.start(settings, folder);
        try (Arrivals arrivals = new Arrivals(sandbox, Side.A, destination)) {
            int portion = messages / (kills + 1);
            for (int kill = 0; kill < kills; kill++) {
                if (kill % 2 == 0) {
                    // Polled and not acknowledged: what a commit that is too early would lose.
                    sandbox.delay(Role.producer, HELD_BACK);
                } else {
                    sandbox.heal(Role.producer);
                }
                Future<?> sending = sender.submit(() -> traffic.send(portion, perSecond));
                double enough = outputsPerMessage * portion * (kill + 0.5);
                Awaitility.await("messages before kill " + kill)
                        .atMost(LIMIT)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> arrivals.count() >= enough);
                replicator.kill();
                sending.get();
                replicator = ReplicatorProcess.start(settings, folder);
            }
            sandbox.heal(Role.producer);
            traffic.send(messages - traffic.total(), perSecond);
            new Group(sandbox, Side.LOCAL, settings.groupId()).awaitCaughtUp(topic, LIMIT);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            sandbox.heal(Role.producer);
            replicator.close();
            sender.shutdownNow();
        }
    }
}
