package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.metrics.MetricsWindows;
import dev.streamconnect.spi.UndeliveredStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * All links and clients of one Camel context. Thread-safe; nothing touches the network before the
 * first {@code open}.
 */
public interface StreamConnectEngine extends AutoCloseable {

    /**
     * Opens a link: registers on the shared client of each of its connections and returns at once;
     * what fails later is in its status.
     *
     * @throws IllegalStateException if a link of that id is open, in one clear line
     * @throws IllegalArgumentException if a client refuses its configuration (wrong store,
     *     password, property), in one clear line that names the option
     */
    Link open(LinkDefinition definition, DeliveryHandler handler);

    /**
     * A topic of a shared destination client; a reference, to be closed. Errors as {@link #open}.
     *
     * @param topic full name
     * @param maxMessageBytes largest message: bytes of key, value and headers
     * @param keepsUndelivered true: what can't be delivered goes to the undelivered store, where
     *     there is one; false: the sender is told
     */
    Destination destination(
            ConnectionSettings settings,
            String topic,
            int maxMessageBytes,
            boolean keepsUndelivered);

    /**
     * Sends stored messages again that are due. One run at a time: while one is under way, its
     * result is given.
     *
     * @return what was done on this node; exceptionally with {@link
     *     dev.streamconnect.spi.StoreUnavailableException} where the store is away
     * @throws IllegalStateException if there is no store
     */
    CompletionStage<SweepCounts> retry();

    /**
     * As {@link #retry}, but never the result of a run that was under way before this call: it also
     * takes what became due meanwhile.
     */
    CompletionStage<SweepCounts> retryAnew();

    /** The undelivered store, if there is one. */
    Optional<UndeliveredStore> undelivered();

    /** The open link of that id; never blocks. */
    Optional<Link> link(String id);

    /** Status of all links, open or closed since the start, by id; never blocks. */
    List<LinkStatus> status();

    /** Leaves a closed link out of the status from now on; does nothing for others. */
    void forget(String id);

    /** Metrics of the links that have a destination. */
    MetricsWindows metrics();

    /** The client certificates of the connections in use; never blocks. */
    List<CertificateStatus> certificates();

    /**
     * Tells the client certificates each time they are looked at, on one of the engine's threads.
     */
    void onCertificates(Consumer<List<CertificateStatus>> listener);

    /** Closes what is open within the stop limit given at the start. */
    @Override
    void close();
}
