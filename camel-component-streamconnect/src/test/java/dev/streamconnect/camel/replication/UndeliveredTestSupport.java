package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.util.List;
import org.apache.camel.CamelContext;
import org.junit.jupiter.api.AfterEach;

/** A context whose engine has a store in an H2 file. */
abstract class UndeliveredTestSupport extends ReplicationTestSupport {

    protected final UndeliveredRows rows = new UndeliveredRows(engine.clock.instant());
    protected UndeliveredStore store;
    protected UndeliveredDatabase database;

    @Override
    protected String topicReplications() {
        return toServiceNow("orders-to-sn", "orders", ", route: none")
                + toServiceNow("events-to-sn", "events", ", route: none")
                + toServiceNow("not-running", "idle", ", route: none")
                + toServiceNow("off", "off", ", route: none")
                        .replace("active: true", "active: false");
    }

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        database = UndeliveredDatabase.embedded(folder.resolve("undelivered"));
        store = database.undeliveredStore(StoreLimits.DEFAULT);
        engine.store = store;
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }

    protected List<StoredMessage> all() {
        return store.list(RowSelector.ALL, 0, 100_000);
    }
}
