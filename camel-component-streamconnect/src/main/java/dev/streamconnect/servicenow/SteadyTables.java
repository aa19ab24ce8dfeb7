package dev.streamconnect.servicenow;

import dev.streamconnect.record.RecordRule;
import dev.streamconnect.servicenow.TableApi.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the three tables of records until two reads, one after the other, have found the same, and
 * all rows that the instance says there are: pages are of no one moment, and a row that the user
 * may not read is left out without a word. Not for several threads.
 */
final class SteadyTables {

    private static final int READS = 4;

    private final TableApi api;
    private final InstanceUrl instance;

    SteadyTables(TableApi api, InstanceUrl instance) {
        this.api = api;
        this.instance = instance;
    }

    /**
     * @param known rows that were steady before, which one read more is enough for; null for none
     */
    InstanceRows read(Overlay overlay, InstanceRows known)
            throws InstanceException, InterruptedException {
        InstanceRows before = known;
        InstanceException failure = null;
        for (int i = 0; i < READS; i++) {
            try {
                InstanceRows now = readOnce(overlay);
                if (now.equals(before)) {
                    return now;
                }
                before = now;
                failure = null;
            } catch (InstanceException e) {
                // What changes while it is read may be steady the next time; nothing else is.
                boolean again = failure != null && failure.getMessage().equals(e.getMessage());
                if (e.rule() != RecordRule.INSTANCE_ANSWER || again) {
                    throw e;
                }
                failure = e;
            }
        }
        throw failure != null
                ? failure
                : InstanceException.answer(
                        instance.host(),
                        "the tables change from read to read; it is read again later");
    }

    private InstanceRows readOnce(Overlay overlay) throws InstanceException, InterruptedException {
        List<Rows> read = new ArrayList<>();
        for (InstanceTable table :
                List.of(
                        InstanceTable.MESSAGE_REPLICATIONS,
                        InstanceTable.TOPIC_REPLICATIONS,
                        InstanceTable.CONNECTIONS)) {
            Rows found = api.read(overlay.of(table), "");
            if (!found.isWhole()) {
                throw InstanceException.answer(
                        instance.host() + "/" + overlay.of(table).table(),
                        "has "
                                + found.total()
                                + " rows, but answers "
                                + found.rows().size()
                                + "; may the user read all of them?");
            }
            read.add(found);
        }
        return InstanceRows.of(read.get(0).rows(), read.get(1).rows(), read.get(2).rows());
    }
}
