package dev.streamconnect.sandbox.control;

import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyMaterial;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.ClusterName;
import dev.streamconnect.sandbox.broker.Rights;
import java.nio.file.Path;
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
        OTHER
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
                        "instance",
                        "validFrom",
                        "validSeconds"));
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
        boolean other = parameters.choice("ca", Authority.class, Authority.OWN) == Authority.OTHER;
        KeyMaterial client = hermes.certificates().client(subject, validity(parameters), other);

        Path folder = hermes.folder().resolve("certificates").resolve(name);
        hermes.clientFiles().write(folder, client, hermes.certificates().trusted());
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
