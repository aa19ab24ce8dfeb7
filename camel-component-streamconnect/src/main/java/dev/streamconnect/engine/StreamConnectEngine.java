package dev.streamconnect.engine;

import dev.streamconnect.cluster.ConnectionSettings;
import java.util.List;
import java.util.Optional;

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
     * The shared destination of a connection; a reference, to be closed. Errors as {@link #open}.
     */
    Destination destination(ConnectionSettings settings);

    /** The open link of that id. */
    Optional<Link> link(String id);

    /** Status of all links, open or closed since the start, by id. */
    List<LinkStatus> status();

    /** Closes what is open within the stop limit given at the start. */
    @Override
    void close();
}
