package dev.streamconnect.engine;

import dev.streamconnect.spi.OriginTotals;
import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the undelivered store how many messages of each link it holds, of all nodes, and tells the
 * links.
 */
record StoredTotals(UndeliveredStore store) {

    /**
     * Blocks for as long as the store takes.
     *
     * @return what the store holds of all
     * @throws dev.streamconnect.spi.StoreUnavailableException if it is away; nobody is told then
     */
    List<OriginTotals> tell(Collection<KafkaLink> links) {
        Map<KafkaLink, Long> changes = new HashMap<>();
        links.forEach(link -> changes.put(link, link.monitor().storedChanges()));
        List<OriginTotals> totals = store.totals();
        for (KafkaLink link : links) {
            List<OriginTotals> own = totals.stream().filter(link::takes).toList();
            long waiting = own.stream().mapToLong(OriginTotals::waiting).sum();
            long parked = own.stream().mapToLong(OriginTotals::parked).sum();
            link.monitor()
                    .counted(
                            changes.get(link),
                            waiting,
                            parked,
                            waiting + parked == 0 ? null : oldest(link));
            link.monitor().former(FormerRows.of(totals.stream().filter(link::hadBefore).toList()));
        }
        return totals;
    }

    private UndeliveredMessage oldest(KafkaLink link) {
        RowSelector own =
                new RowSelector(
                        List.of(link.id()),
                        null,
                        null,
                        null,
                        null,
                        null,
                        link.definition().topics());
        List<StoredMessage> first = store.list(own, 0, 1);
        return first.isEmpty() ? null : first.get(0).message();
    }
}
