package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.cluster.ConnectionSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SharedClientsTest {

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<String> built = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final List<ScheduledFuture<?>> housekeeping = new ArrayList<>();
    private boolean fails;
    private final SharedClients<String> clients =
            new SharedClients<>(
                    this::build,
                    client -> {
                        housekeeping.add(timer.schedule(() -> {}, 1, TimeUnit.DAYS));
                        return housekeeping.get(housekeeping.size() - 1);
                    });

    private String build(ConnectionSettings settings) {
        if (fails) {
            throw new IllegalArgumentException("bad keystore");
        }
        built.add(settings.cluster());
        return settings.cluster() + built.size();
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    @DisplayName("one connection has one client, closed with the last lease and only then")
    void counted() {
        SharedClients<String>.Lease first = clients.lease(Fixtures.PLANT);
        SharedClients<String>.Lease second = clients.lease(Fixtures.PLANT);
        SharedClients<String>.Lease other = clients.lease(Fixtures.HERMES);
        assertThat(built).containsExactly("plant", "hermes");
        assertThat(first.client()).isSameAs(second.client());
        assertThat(first.isLast()).isFalse();

        assertThat(first.release(closed::add)).isFalse();
        assertThat(closed).isEmpty();
        assertThat(second.isLast()).isTrue();
        assertThat(second.release(closed::add)).isTrue();
        assertThat(closed).containsExactly("plant1");
        assertThat(housekeeping.get(0).isCancelled()).isTrue();
        assertThat(housekeeping.get(1).isCancelled()).isFalse();
        assertThat(other.isLast()).isTrue();
    }

    @Test
    @DisplayName("a lease that is given back twice counts once")
    void releasedOnce() {
        SharedClients<String>.Lease first = clients.lease(Fixtures.PLANT);
        SharedClients<String>.Lease second = clients.lease(Fixtures.PLANT);
        first.release(closed::add);
        assertThat(first.release(closed::add)).isFalse();
        assertThat(closed).isEmpty();
        second.release(closed::add);
        second.release(closed::add);
        assertThat(closed).containsExactly("plant1");
    }

    @Test
    @DisplayName("after a factory has failed the next lease tries again")
    void failingFactory() {
        fails = true;
        assertThatThrownBy(() -> clients.lease(Fixtures.PLANT)).hasMessage("bad keystore");
        fails = false;
        SharedClients<String>.Lease lease = clients.lease(Fixtures.PLANT);
        assertThat(lease.isLast()).isTrue();
        lease.release(closed::add);
        assertThat(closed).hasSize(1);
    }

    @Test
    @DisplayName("a client that was closed is built anew by the next lease")
    void again() {
        clients.lease(Fixtures.PLANT).release(closed::add);
        assertThat(clients.lease(Fixtures.PLANT).client()).isEqualTo("plant2");
    }

    @Test
    @DisplayName("closing all closes each once, whoever gives a lease back later")
    void closeAll() {
        SharedClients<String>.Lease lease = clients.lease(Fixtures.PLANT);
        clients.lease(Fixtures.HERMES);
        clients.closeAll(closed::add);
        assertThat(closed).containsExactlyInAnyOrder("plant1", "hermes2");
        assertThat(lease.release(closed::add)).isFalse();
        assertThat(closed).hasSize(2);
        assertThat(housekeeping).allMatch(ScheduledFuture::isCancelled);
    }
}
