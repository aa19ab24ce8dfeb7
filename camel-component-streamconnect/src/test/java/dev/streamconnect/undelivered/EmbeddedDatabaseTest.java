package dev.streamconnect.undelivered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.streamconnect.record.Secret;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The H2 file, and what is the same for every database. */
class EmbeddedDatabaseTest {

    private static final String PASSWORD = "gJ7-swordfish";

    @TempDir Path folder;

    private static int rows(UndeliveredStore store) {
        return store.list(RowSelector.ALL, 0, 100).size();
    }

    private static void put(UndeliveredStore store, long offset) {
        store.store(List.of(Stored.at(offset).message()));
    }

    @Test
    void keeps_its_rows_when_it_is_closed_and_opened_again() {
        for (int n = 1; n <= 3; n++) {
            try (UndeliveredDatabase database =
                    UndeliveredDatabase.embedded(folder.resolve("a/b/undelivered"))) {
                UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
                put(store, n);
                assertThat(rows(store)).isEqualTo(n);
            }
        }
    }

    @Test
    void is_of_one_node() {
        try (UndeliveredDatabase database =
                UndeliveredDatabase.embedded(folder.resolve("undelivered"))) {
            assertThat(database.undeliveredStore(StoreLimits.DEFAULT).isShared()).isFalse();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void its_folder_is_its_owners_alone() throws IOException {
        UndeliveredDatabase.embedded(folder.resolve("a/b/undelivered")).close();

        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("a/b"))))
                .isEqualTo("rwx------");
    }

    @Test
    void survives_a_call_of_an_interrupted_thread() {
        try (UndeliveredDatabase database =
                UndeliveredDatabase.embedded(folder.resolve("undelivered"))) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            put(store, 0);
            int kept = 1;
            for (int n = 1; n <= 20; n++) {
                Thread.currentThread().interrupt();
                try {
                    put(store, n);
                    kept++;
                } catch (StoreUnavailableException e) {
                    // Allowed: then it must not be there.
                }
                Thread.interrupted();
                assertThat(rows(store)).isEqualTo(kept);
            }
        }
    }

    @Test
    void a_wrong_password_is_one_line_that_names_the_options_and_not_the_password() {
        String url = "jdbc:h2:file:" + folder.resolve("locked");
        try (UndeliveredDatabase right =
                UndeliveredDatabase.open(url, "sc", Secret.of("right one"))) {
            put(right.undeliveredStore(StoreLimits.DEFAULT), 1);
        }
        try (UndeliveredDatabase wrong =
                UndeliveredDatabase.open(url + ";PASSWORD=" + PASSWORD, "sc", null)) {
            UndeliveredStore store = wrong.undeliveredStore(StoreLimits.DEFAULT);

            assertThatThrownBy(() -> rows(store))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("undeliveredUser")
                    .hasMessageContaining("undeliveredPassword")
                    .satisfies(EmbeddedDatabaseTest::showsNoPassword);
        }
    }

    @Test
    void a_file_that_another_process_has_is_refused_at_once_in_one_line() throws Exception {
        Path file = folder.resolve("undelivered");
        Process other =
                StoringProcess.start(folder.resolve("errors.txt"), "jdbc:h2:file:" + file, 0);
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("0");

            assertThatThrownBy(() -> UndeliveredDatabase.embedded(file))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("undeliveredUrl: another process has the H2 file")
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("PostgreSQL")
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
        } finally {
            other.destroyForcibly().waitFor();
        }
        UndeliveredDatabase.embedded(file).close();
    }

    @Test
    void a_folder_that_cannot_be_made_is_refused_in_one_line_with_the_option() throws IOException {
        Path file = Files.writeString(folder.resolve("a-file"), "");

        assertThatThrownBy(() -> UndeliveredDatabase.embedded(file.resolve("data/undelivered")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "undeliveredUrl: the folder " + file.resolve("data") + " can't be made: ")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void after_a_full_disk_it_tells_so_and_works_again_by_itself() {
        FullDisk.register();
        try (UndeliveredDatabase database =
                UndeliveredDatabase.open(
                        "jdbc:h2:" + FullDisk.SCHEME + ":" + folder.resolve("undelivered"),
                        null,
                        null)) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
            put(store, 1);

            FullDisk.full = true;
            for (int n = 0; n < 6; n++) {
                assertThatThrownBy(() -> put(store, 2))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(FullDisk.ANSWER)
                        .hasMessageContaining("see that the disk has room")
                        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
            }

            FullDisk.full = false;
            await().ignoreExceptionsInstanceOf(StoreUnavailableException.class)
                    .untilAsserted(() -> put(store, 3));
            assertThat(rows(store)).isEqualTo(2);
        } finally {
            FullDisk.full = false;
        }
    }

    static void showsNoPassword(Throwable failure) {
        java.io.StringWriter text = new java.io.StringWriter();
        failure.printStackTrace(new java.io.PrintWriter(text));
        assertThat(text.toString()).doesNotContain(PASSWORD);
        assertThat(failure.getMessage().lines()).hasSize(1);
    }

    @Test
    void another_kind_of_database_is_refused_at_once() {
        assertThatThrownBy(
                        () ->
                                UndeliveredDatabase.open(
                                        "jdbc:mysql://h/db?password=" + PASSWORD, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("undeliveredUrl")
                .satisfies(EmbeddedDatabaseTest::showsNoPassword);
    }

    @Test
    void a_path_that_h2_would_misread_is_refused_at_once() {
        assertThatThrownBy(() -> UndeliveredDatabase.embedded(folder.resolve("a;INIT=x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("semicolon");
    }

    @Test
    void limits_below_one_are_refused_at_once() {
        assertThatThrownBy(() -> new StoreLimits(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("undeliveredMaxRows=0 is below 1");
        assertThatThrownBy(() -> new StoreLimits(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("undeliveredMaxBytes=0 is below 1");
    }

    @Test
    void first_calls_of_many_threads_make_the_tables_once() throws Exception {
        try (UndeliveredDatabase database =
                UndeliveredDatabase.embedded(folder.resolve("undelivered"))) {
            UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);

            assertThat(UndeliveredContractSupport.together(4, () -> rows(store)))
                    .containsExactly(0, 0, 0, 0);
        }
    }

    @Test
    void a_data_source_of_the_callers_stays_open_and_its_other_tables_stay() throws Exception {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:callers;DB_CLOSE_DELAY=-1");
        try (Connection connection = source.getConnection()) {
            connection.createStatement().execute("create table others (id int)");
            try (UndeliveredDatabase database = UndeliveredDatabase.of(source)) {
                put(database.undeliveredStore(StoreLimits.DEFAULT), 1);
            }
            ResultSet count =
                    connection
                            .createStatement()
                            .executeQuery(
                                    "select count(*) from streamconnect_undelivered, (select count(*) from others)");
            assertThat(count.next()).isTrue();
            assertThat(count.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void after_the_end_it_is_unavailable() {
        UndeliveredDatabase database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        UndeliveredStore store = database.undeliveredStore(StoreLimits.DEFAULT);
        put(store, 1);
        database.close();
        database.close();

        assertThatThrownBy(() -> rows(store)).isInstanceOf(StoreUnavailableException.class);
    }
}
