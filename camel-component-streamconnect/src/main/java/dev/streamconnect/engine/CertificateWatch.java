package dev.streamconnect.engine;

import dev.streamconnect.cluster.CertificateLife;
import dev.streamconnect.cluster.CertificateLife.Stage;
import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsMaterial;
import dev.streamconnect.cluster.WatchedTls;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the certificates of the connections in use: takes up new files, and tells in time that a
 * certificate ends.
 *
 * <p>New material is tried on each connection first. It is refused only where a broker does not
 * take it and still takes the present one; else the present one stays in effect, whatever the files
 * hold. When it is taken the connection's clients are told to hand over to new ones.
 *
 * <p>One thread at a time; {@link #status} from any.
 */
final class CertificateWatch {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    /** Problem and warning of a link; with the connection's name behind it. */
    static final String SCOPE = "certificate ";

    /** Nobody was there to be asked; a trial without an answer costs a ping. */
    private static final Duration NO_ANSWER = Duration.ofSeconds(1);

    private final CertificateTrial trial;
    private final Clock clock;
    private final Backoff backoff = new Backoff(Duration.ofSeconds(2), Duration.ofMinutes(5));
    private final Map<WatchedTls, Watched> watched = new HashMap<>();
    private volatile List<CertificateStatus> status = List.of();

    CertificateWatch(CertificateTrial trial, Clock clock) {
        this.trial = trial;
        this.clock = clock;
    }

    /**
     * A connection that has a client.
     *
     * @param renewed tells the client that new material is in effect; never blocks
     */
    record Connected(ConnectionSettings settings, Runnable renewed) {}

    /** What is remembered of one certificate. */
    private static final class Watched {
        private final List<Connected> connected = new ArrayList<>();
        private TlsMaterial tried;
        private int trials;
        private Instant notBefore = Instant.EPOCH;
        private Stage toldStage = Stage.GOOD;
        private String toldFault = "";
    }

    /** Looks once; blocks for seconds while new material is tried. */
    void look(Collection<Connected> connections, Collection<KafkaLink> links) {
        watched.values().forEach(each -> each.connected.clear());
        for (Connected connection : connections) {
            WatchedTls tls = connection.settings().tls();
            if (tls != null) {
                watched.computeIfAbsent(tls, t -> new Watched()).connected.add(connection);
            }
        }
        watched.values().removeIf(each -> each.connected.isEmpty());
        watched.forEach(
                (tls, each) -> {
                    if (tls.look()) {
                        tryOut(tls, each);
                    }
                    log(tls, each);
                });
        status = statusNow();
        links.forEach(this::tell);
    }

    /** The certificates in use, one for each connection and side. */
    List<CertificateStatus> status() {
        return status;
    }

    private void tryOut(WatchedTls tls, Watched each) {
        TlsMaterial next = tls.candidate();
        Instant now = clock.instant();
        if (next != each.tried) {
            each.tried = next;
            each.trials = 0;
        } else if (now.isBefore(each.notBefore)) {
            return;
        }
        each.notBefore = now.plus(NO_ANSWER);
        boolean answered = false;
        for (Connected connection : each.connected) {
            CertificateTrial.Result result = trial.of(connection.settings(), next);
            answered |= result.outcome() != CertificateTrial.Outcome.NO_ANSWER;
            if (result.outcome() == CertificateTrial.Outcome.REFUSED
                    && takesPresent(connection.settings(), tls)) {
                each.notBefore = now.plus(backoff.delay(++each.trials));
                tls.refuse(
                        next,
                        connection.settings().displayName() + " refuses them: " + result.reason());
                return;
            }
        }
        if (answered) {
            tls.accept(next);
        }
        if (tls.current() == next) {
            LOG.info(
                    "{}: new certificate and stores are in effect{}",
                    names(each),
                    next.life() == null ? "" : ": " + next.life().text(now));
            each.connected.forEach(connection -> connection.renewed().run());
        }
    }

    private boolean takesPresent(ConnectionSettings settings, WatchedTls tls) {
        return trial.of(settings, tls.current()).outcome() == CertificateTrial.Outcome.TAKEN;
    }

    /** One line for a change. */
    private void log(WatchedTls tls, Watched each) {
        CertificateLife life = tls.current().life();
        Stage stage = life == null ? Stage.GOOD : life.stage(clock.instant());
        String fault = fault(tls);
        if (stage.compareTo(each.toldStage) > 0
                || (!fault.isEmpty() && !fault.equals(each.toldFault))) {
            LOG.warn("{}: {}", names(each), warning(tls));
        } else if (fault.isEmpty() && !each.toldFault.isEmpty()) {
            LOG.info("{}: nothing is wrong with the certificate's files any more", names(each));
        }
        each.toldStage = stage;
        each.toldFault = fault;
    }

    private static String names(Watched each) {
        return String.join(
                ", ", each.connected.stream().map(c -> c.settings().displayName()).toList());
    }

    /** What is to be done, and why; empty for nothing. */
    private String warning(WatchedTls tls) {
        CertificateLife life = tls.current().life();
        Instant now = clock.instant();
        String fault = fault(tls);
        if (life == null || life.stage(now) == Stage.GOOD) {
            return fault;
        }
        return life.text(now)
                + (life.stage(now) == Stage.EXPIRED ? ", brokers refuse new connections" : "")
                + "; "
                + mend(tls)
                + (fault.isEmpty() ? "" : "; " + fault);
    }

    /** What brings a certificate into effect. */
    static String mend(WatchedTls tls) {
        return tls.place().isEmpty()
                ? "have a new one issued and give it to the connection"
                : "have a new one issued and put it in place of "
                        + tls.place()
                        + ", it is taken up by itself";
    }

    private static String fault(WatchedTls tls) {
        return Optional.ofNullable(tls.fault())
                .map(why -> "the new files are not used, what was before stays in effect: " + why)
                .or(
                        () ->
                                Optional.ofNullable(tls.renewalFault())
                                        .map(why -> "renewal fails: " + why))
                .orElse("");
    }

    private List<CertificateStatus> statusNow() {
        Map<String, CertificateStatus> all = new LinkedHashMap<>();
        watched.forEach(
                (tls, each) ->
                        each.connected.stream()
                                .filter(connection -> tls.current().life() != null)
                                .forEach(
                                        connection -> {
                                            CertificateStatus one =
                                                    status(connection.settings(), tls);
                                            all.put(one.name(), one);
                                        }));
        return all.keySet().stream().sorted().map(all::get).toList();
    }

    private CertificateStatus status(ConnectionSettings settings, WatchedTls tls) {
        return new CertificateStatus(
                settings.cluster(),
                settings.role() == ClientRole.CUSTOMER ? "" : settings.role().label(),
                tls.current().life(),
                warning(tls));
    }

    private void tell(KafkaLink link) {
        Map<String, WatchedTls> own = new LinkedHashMap<>();
        List<ConnectionSettings> all = new ArrayList<>(link.definition().sources());
        Optional.ofNullable(link.definition().destination()).ifPresent(all::add);
        all.stream()
                .filter(settings -> settings.tls() != null)
                .forEach(settings -> own.put(settings.cluster(), settings.tls()));
        own.forEach(
                (cluster, tls) -> {
                    CertificateLife life = tls.current().life();
                    boolean soon =
                            life != null
                                    && life.stage(clock.instant()).compareTo(Stage.ENDS_SOON) >= 0;
                    String text = warning(tls);
                    String told = text.isEmpty() ? "" : cluster + ": " + text;
                    LinkMonitor monitor = link.monitor();
                    monitor.warning(SCOPE + cluster, soon ? "" : told);
                    if (soon) {
                        monitor.problem(
                                SCOPE + cluster,
                                new Problem(LinkState.DEGRADED, told, clock.instant(), true));
                    } else {
                        monitor.clear(SCOPE + cluster);
                    }
                });
    }
}
