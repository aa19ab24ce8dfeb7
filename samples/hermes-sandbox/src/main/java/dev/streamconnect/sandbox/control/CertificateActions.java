package dev.streamconnect.sandbox.control;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.Rights;
import dev.streamconnect.sandbox.broker.SandboxBroker;
import dev.streamconnect.sandbox.client.SandboxCertificates;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.acl.AclBinding;

/** Makes further client certificates, good and bad ones. Repeating a name replaces its files. */
final class CertificateActions {

    private static final long SEVEN_DAYS = Duration.ofDays(7).toSeconds();

    private enum Authority {
        OWN,
        NEXT,
        OTHER
    }

    private enum Trusted {
        OWN,
        BOTH,
        NEXT
    }

    private final LocalHermes hermes;
    private final Clock clock;

    CertificateActions(LocalHermes hermes, Clock clock) {
        this.hermes = hermes;
        this.clock = clock;
    }

    void register(Map<String, Action> actions) {
        actions.put(
                "/certificates",
                Action.post(
                        this::issue,
                        "name",
                        "principal",
                        "acl",
                        "ca",
                        "trust",
                        "instance",
                        "validFrom",
                        "validSeconds"));
        actions.put("/authorities", Action.post(this::authorities, "server", "trust"));
    }

    /** The brokers of both sides start again with other stores. */
    private Object authorities(Parameters parameters) throws Exception {
        CertificateAuthority server = authority(parameters, "server");
        List<X509Certificate> trusted = trusted(parameters);
        hermes.serverFiles().write(server, trusted);
        for (ClusterName side : List.of(ClusterName.A, ClusterName.B)) {
            for (SandboxBroker broker : hermes.cluster(side).brokers()) {
                broker.stop();
                broker.start();
            }
        }
        return Map.of(
                "server", server.certificate().getSubjectX500Principal().getName(),
                "trust", trusted.size());
    }

    private CertificateAuthority authority(Parameters parameters, String name) {
        SandboxCertificates certificates = hermes.certificates();
        return switch (parameters.choice(name, Authority.class, Authority.OWN)) {
            case OWN -> certificates.authority();
            case NEXT -> certificates.next();
            case OTHER -> certificates.other();
        };
    }

    private List<X509Certificate> trusted(Parameters parameters) {
        X509Certificate own = hermes.certificates().authority().certificate();
        X509Certificate next = hermes.certificates().next().certificate();
        return switch (parameters.choice("trust", Trusted.class, Trusted.OWN)) {
            case OWN -> List.of(own);
            case BOTH -> List.of(own, next);
            case NEXT -> List.of(next);
        };
    }

    private Object issue(Parameters parameters) throws Exception {
        String name = parameters.required("name");
        if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
            throw new SandboxException("name is '" + name + "', expected A-Z a-z 0-9 _ - only");
        }
        String principal = parameters.optional("principal").orElse(name);
        String instance = hermes.bootstrap().instance();
        List<AclBinding> acls =
                Rights.parse(parameters.optional("acl").orElse("default"), principal, instance);
        HermesSubject subject =
                subject(principal, parameters.optional("instance").orElse(instance));
        KeyMaterial client = authority(parameters, "ca").issueClient(subject, validity(parameters));

        Path folder = hermes.folder().resolve("certificates").resolve(name);
        hermes.clientFiles().write(folder, client, trusted(parameters));
        if (!acls.isEmpty()) {
            for (ClusterName side : List.of(ClusterName.A, ClusterName.B)) {
                hermes.cluster(side).admin().createAcls(acls).all().get();
            }
        }
        return Map.of(
                "folder", folder.toString(),
                "principal", principal,
                "notBefore", client.certificate().getNotBefore().toInstant().toString(),
                "notAfter", client.certificate().getNotAfter().toInstant().toString());
    }

    private Validity validity(Parameters parameters) {
        long seconds = parameters.number("validSeconds", SEVEN_DAYS, 1, Integer.MAX_VALUE);
        Optional<Instant> from = parameters.optional("validFrom").map(this::instant);
        return from.map(start -> new Validity(start, start.plusSeconds(seconds)))
                .orElseGet(() -> Validity.of(clock.instant(), Duration.ofSeconds(seconds)));
    }

    /** A time, or seconds from now with a sign. */
    private Instant instant(String text) {
        try {
            return text.matches("[+-][0-9]{1,10}")
                    ? clock.instant().plusSeconds(Long.parseLong(text))
                    : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new SandboxException(
                    "validFrom is '"
                            + text
                            + "', expected a time such as 2026-01-31T12:00:00Z, or seconds from now such as -60");
        }
    }

    private static HermesSubject subject(String principal, String instance) {
        try {
            return HermesSubject.client(principal, instance);
        } catch (IllegalArgumentException e) {
            throw new SandboxException(e.getMessage());
        }
    }
}
