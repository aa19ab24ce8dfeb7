package dev.streamconnect.camel.replication;

import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.spi.RecordsVersion;
import java.time.Clock;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for another version of the replication records and brings it into effect. What two looks in
 * a row have found counts, so that a file that is just being written does not; what can't be used
 * is told once and changes nothing. One thread looks; what it tells may be asked by any.
 */
final class RecordsWatch {

    private static final Logger LOG = LoggerFactory.getLogger(RecordsWatch.class);

    private final ReplicationComponent component;
    private final Clock clock;
    private Look last;
    private volatile Warning warning;

    /**
     * What one look has found.
     *
     * @param version null if it is the one in effect, or unusable
     * @param fault why it can't be used, one line; null if it can
     */
    private record Look(RecordsVersion version, String fault) {

        boolean isLike(Look other) {
            return other != null
                    && Objects.equals(id(), other.id())
                    && Objects.equals(fault, other.fault);
        }

        private String id() {
            return version == null ? null : version.id();
        }
    }

    /**
     * Why newer versions are not used.
     *
     * @param since when that began, whatever was wrong with the first of them
     */
    record Warning(String text, Instant since) {}

    RecordsWatch(ReplicationComponent component, Clock clock) {
        this.component = component;
        this.clock = clock;
    }

    /** Looks once; throws nothing. */
    void look() {
        try {
            Look now = find();
            boolean settled = now.isLike(last);
            last = now;
            if (settled) {
                settle(now);
            }
        } catch (RuntimeException e) {
            // An exception would end the schedule without a word.
            warn("it can't be put into effect: " + BuiltRoutes.reason(e));
        }
    }

    private Look find() {
        try {
            Optional<RecordsVersion> found =
                    component.recordsLoader().newer(component.version().id());
            return new Look(found.orElse(null), null);
        } catch (RecordsException e) {
            return new Look(null, oneLine(e));
        } catch (RuntimeException e) {
            // A store of somebody else's.
            return new Look(null, BuiltRoutes.reason(e));
        }
    }

    private void settle(Look now) {
        if (now.fault() != null) {
            warn(now.fault());
        } else if (now.version() == null) {
            mended();
        } else {
            try {
                if (component.builtRoutes().change(now.version())) {
                    warning = null;
                }
            } catch (IllegalArgumentException e) {
                warn(e.getMessage());
            }
        }
    }

    private void warn(String text) {
        Warning before = warning;
        if (before == null || !before.text().equals(text)) {
            warning = new Warning(text, before == null ? clock.instant() : before.since());
            LOG.error(
                    "replication records {}: what is there now is not used, version {} stays in effect: {}",
                    component.recordsLoader().name(),
                    component.version().id(),
                    text);
        }
    }

    private void mended() {
        if (warning != null) {
            warning = null;
            LOG.info(
                    "replication records {}: they are as version {} again, which is in effect",
                    component.recordsLoader().name(),
                    component.version().id());
        }
    }

    /** Null if there is none. */
    Warning warning() {
        return warning;
    }

    /** As if it had never looked. */
    void reset() {
        last = null;
        warning = null;
    }

    private static String oneLine(RecordsException e) {
        RecordFault first = e.faults().get(0);
        int more = e.faults().size() - 1;
        return first + (more == 0 ? "" : " (and " + more + " more; 'validate' lists all)");
    }
}
