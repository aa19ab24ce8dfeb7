package dev.streamconnect.camel.replication;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.cluster.TlsStore;
import dev.streamconnect.cluster.TrustedAuthorities;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.RecordsValidator;
import dev.streamconnect.record.ReplicationRecords;
import dev.streamconnect.record.Secret;
import dev.streamconnect.servicenow.Credentials;
import dev.streamconnect.servicenow.InstanceOptions;
import dev.streamconnect.servicenow.InstanceRecordStore;
import dev.streamconnect.servicenow.InstanceUrl;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordsVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.camel.CamelContext;
import org.apache.camel.support.ResourceHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds and reads the replication records that the options name. */
final class RecordsLoader {

    /** What stands before the address of an instance. */
    static final String SERVICENOW = "servicenow:";

    private static final String OPTION = "camel.component.replication.records";

    private static final Logger LOG = LoggerFactory.getLogger(RecordsLoader.class);

    private final CamelContext context;
    private final RecordStore store;
    private final RecordsValidator validator;
    private List<RecordFault> warned = List.of();

    /**
     * @param location {@code file:…}, {@code classpath:…}, another resource of Camel, or a path;
     *     not used with a store
     * @param given the user's own store; null for the location
     * @param instance the instance that the records are for
     * @throws IllegalArgumentException if there is no such file, in one line
     */
    RecordsLoader(
            CamelContext context,
            String location,
            RecordStore given,
            Optional<HermesInstance> instance) {
        this.context = context;
        this.validator = new RecordsValidator(instance);
        this.store = given != null ? given : store(location, instance);
    }

    /** What the records come from, for people. */
    String name() {
        return store.name();
    }

    /** How the store is, for people; null if there is nothing to say. */
    String state() {
        return store.state();
    }

    /** The records of an instance; empty if they are not those of one. */
    Optional<InstanceRecordStore> instance() {
        return store instanceof InstanceRecordStore of ? Optional.of(of) : Optional.empty();
    }

    /**
     * Another version than the known one, whose rules are kept; empty if there is none.
     *
     * @param known id of a version; null for none
     * @throws RecordsException with all faults
     */
    Optional<RecordsVersion> newer(String known) {
        Optional<RecordsVersion> found = store.newer(known);
        found.ifPresent(version -> check(version.records()));
        return found;
    }

    private void check(ReplicationRecords records) {
        List<RecordFault> faults = validator.validate(records, store.name());
        if (!faults.isEmpty()) {
            throw new RecordsException(faults);
        }
    }

    private RecordStore store(String location, Optional<HermesInstance> instance) {
        if (location == null || location.isBlank()) {
            throw new IllegalArgumentException(
                    OPTION
                            + ": is missing; name the file with the replication records, such as file:replications.yaml");
        }
        RecordsReader reader =
                new RecordsReader(context::resolvePropertyPlaceholders, instance, this::warn);
        if (location.startsWith("file:") || !ResourceHelper.hasScheme(location)) {
            return new FileRecordStore(file(location), reader);
        }
        return new ReadOnce(location, reader);
    }

    /**
     * The records of an instance.
     *
     * @throws IllegalArgumentException one line with the option that is missing or wrong
     */
    static InstanceRecordStore instance(
            CamelContext context, ReplicationOptions options, Optional<HermesInstance> hermes) {
        InstanceUrl url = InstanceUrl.parse(options.getRecords().substring(SERVICENOW.length()));
        String cache = options.getServiceNowCache();
        return new InstanceRecordStore(
                new InstanceOptions(
                        url,
                        new Credentials(
                                options.getServiceNowUser(),
                                secret(options.getServiceNowPassword()),
                                options.getServiceNowClientId(),
                                secret(options.getServiceNowClientSecret())),
                        options.getServiceNowOverlay() == null
                                ? null
                                : path(options.getServiceNowOverlay()),
                        cache == null
                                ? InstanceOptions.defaultCache(url)
                                : cache.equals("none") ? null : path(cache),
                        Duration.ofMillis(options.getServiceNowInterval()),
                        Duration.ofMillis(options.getServiceNowTimeout()),
                        options.getServiceNowTruststore() == null
                                ? null
                                : TrustedAuthorities.with(
                                        TlsStore.file(
                                                "serviceNowTruststore",
                                                "serviceNowTruststorePassword",
                                                options.getServiceNowTruststore(),
                                                options.getServiceNowTruststorePassword()))),
                context::resolvePropertyPlaceholders,
                hermes);
    }

    private static Path path(String text) {
        return Path.of(text.startsWith("file:") ? text.substring("file:".length()) : text);
    }

    private static Secret secret(String text) {
        return text == null ? null : Secret.of(text);
    }

    /** A version is read more than once before it is in effect. */
    private synchronized void warn(List<RecordFault> found) {
        if (!found.isEmpty() && !found.equals(warned)) {
            RecordFault first = found.get(0);
            LOG.warn(
                    "{}{}",
                    first,
                    found.size() == 1
                            ? ""
                            : "; there are "
                                    + (found.size() - 1)
                                    + " more warnings, which 'validate' lists");
        }
        warned = found;
    }

    /** A resource that does not change, such as one of the class path. */
    private final class ReadOnce implements RecordStore {

        private final String location;
        private final RecordsReader reader;

        private ReadOnce(String location, RecordsReader reader) {
            this.location = location;
            this.reader = reader;
        }

        @Override
        public String name() {
            return location;
        }

        @Override
        public Optional<RecordsVersion> newer(String known) {
            if (known != null) {
                return Optional.empty();
            }
            try (InputStream stream =
                    ResourceHelper.resolveMandatoryResourceAsInputStream(context, location)) {
                return Optional.of(
                        new RecordsVersion("resource", null, reader.read(stream, location)));
            } catch (FileNotFoundException e) {
                throw missing(location);
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        OPTION + ": '" + location + "' cannot be read; check its rights");
            }
        }
    }

    private static Path file(String location) {
        String text =
                location.startsWith("file:") ? location.substring("file:".length()) : location;
        Path path;
        try {
            path = Path.of(text);
        } catch (InvalidPathException e) {
            throw missing(text);
        }
        if (!Files.exists(path)) {
            throw missing(text);
        }
        return path;
    }

    private static IllegalArgumentException missing(String location) {
        return new IllegalArgumentException(
                OPTION
                        + ": there is no '"
                        + location
                        + "' (from "
                        + Path.of("").toAbsolutePath()
                        + "); correct the path");
    }
}
