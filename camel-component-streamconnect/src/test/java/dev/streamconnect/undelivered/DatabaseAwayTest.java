package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A PostgreSQL that is stopped, silent, or lets nobody in; and several nodes on one. */
class DatabaseAwayTest {

    /** The promise is 10 s; the rest is for slow machines. Without time-outs it is minutes. */
    private static final Duration LIMIT = Duration.ofSeconds(25);

    private static final String PASSWORD = "gJ7-swordfish";

    private static PostgreSqlServer server;

    private final AtomicLong offset = new AtomicLong();

    @BeforeAll
    static void start() {
        server = PostgreSqlServer.started();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static UndeliveredDatabase open(String url) {
        return UndeliveredDatabase.open(url, PostgreSqlServer.USER, PostgreSqlServer.PASSWORD);
    }

    private void put(UndeliveredStore store) {
        store.store(List.of(Stored.at(offset.incrementAndGet()).message()));
    }

    private static void assertUnavailableInTime(Runnable call) {
        long start = System.nanoTime();
        assertThatThrownBy(call::run).isInstanceOf(StoreUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
    }

    private static void assertWorksAgain(Runnable call) {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                .untilAsserted(call::run);
    }

    @Test
    void stopped_it_is_unavailable_in_seconds_and_works_again_by_itself() {
        try (UndeliveredDatabase database = open(server.newDatabase())) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            put(store);
            server.stop();

            for (int n = 0; n < 3; n++) {
                assertUnavailableInTime(() -> put(store));
                assertUnavailableInTime(() -> store.heldKeys(Stored.ORIGIN, Stored.TOPICS));
            }

            server.startAgain();
            assertWorksAgain(() -> put(store));
            assertThat(store.list(RowSelector.ALL, 0, 10)).hasSize(2);
        }
    }

    @Test
    void stopped_at_the_start_the_tables_are_made_later() {
        String url = server.newDatabase();
        server.stop();
        try (UndeliveredDatabase database = open(url)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);

            assertThatThrownBy(() -> put(store))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(url)
                    .hasMessageContaining("undeliveredUrl")
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));

            server.startAgain();
            assertWorksAgain(() -> put(store));
        }
    }

    @Test
    void silent_it_is_unavailable_in_seconds_and_works_again_by_itself() throws IOException {
        String name = server.newDatabase().replaceAll(".*/", "");
        try (FrozenProxy proxy = new FrozenProxy(server.port());
                UndeliveredDatabase database = open(PostgreSqlServer.url(name, proxy.port()))) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            put(store);
            proxy.freeze();

            for (int n = 0; n < 2; n++) {
                assertUnavailableInTime(() -> put(store));
            }

            proxy.thaw();
            assertWorksAgain(() -> put(store));
        }
    }

    @Test
    void silent_at_the_start_many_calls_end_in_seconds() throws Exception {
        String name = server.newDatabase().replaceAll(".*/", "");
        try (FrozenProxy proxy = new FrozenProxy(server.port());
                UndeliveredDatabase database = open(PostgreSqlServer.url(name, proxy.port()))) {
            proxy.freeze();
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);

            UndeliveredContractSupport.together(
                    8,
                    () -> {
                        assertUnavailableInTime(() -> put(store));
                        return null;
                    });

            proxy.thaw();
            assertWorksAgain(() -> put(store));
        }
    }

    @Test
    void a_wrong_password_is_one_line_that_names_the_options_and_not_the_password() {
        String url = server.newDatabase();
        server.addUser("app", "right");
        server.execute("grant all on database " + url.replaceAll(".*/", "") + " to app");

        try (UndeliveredDatabase database =
                UndeliveredDatabase.open(url, "app", Secret.of("right"))) {
            put(database.undeliveredStore(StoreLimits.DEFAULT));
        }
        for (UndeliveredDatabase wrong :
                List.of(
                        UndeliveredDatabase.open(url, "app", Secret.of(PASSWORD)),
                        UndeliveredDatabase.open(
                                url + "?user=app&password=" + PASSWORD, null, null))) {
            try (wrong) {
                assertThatThrownBy(() -> put(wrong.undeliveredStore(StoreLimits.DEFAULT)))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("undeliveredUser")
                        .hasMessageContaining("undeliveredPassword")
                        .satisfies(EmbeddedDatabaseTest::showsNoPassword);
            }
        }
    }

    @Test
    void an_unknown_database_is_one_line_that_names_the_option() {
        try (UndeliveredDatabase database = open(PostgreSqlServer.url("nowhere", server.port()))) {
            assertThatThrownBy(() -> put(database.undeliveredStore(StoreLimits.DEFAULT)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("nowhere")
                    .hasMessageContaining("undeliveredUrl");
        }
    }

    @Test
    void nodes_that_start_at_once_make_the_tables_once() throws Exception {
        for (int round = 0; round < 3; round++) {
            String url = server.newDatabase();

            UndeliveredContractSupport.together(
                    4,
                    () -> {
                        try (UndeliveredDatabase database = open(url)) {
                            put(database.undeliveredStore(StoreLimits.DEFAULT));
                        }
                        return null;
                    });

            try (UndeliveredDatabase database = open(url)) {
                assertThat(
                                database.undeliveredStore(StoreLimits.DEFAULT)
                                        .list(RowSelector.ALL, 0, 10))
                        .hasSize(4);
            }
        }
    }
}
