package dev.streamconnect.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * Finds records that a cloned instance left behind: topic, host and certificate must be of the
 * configured instance. A host tells its instance only below the configured domain, so tunnels and a
 * sandbox on localhost are never refused. A certificate's subject tells it by a value of the form
 * {@code <instance>.<domain>} or {@code snc.<instance>…}, else, where it has the form of a Hermes
 * certificate ({@code OU=hermes…}), by an organisation that can be the name of an instance; other
 * subjects say nothing.
 */
public final class InstanceMatch {

    private final HermesInstance instance;

    /** Compares with this instance. */
    public InstanceMatch(HermesInstance instance) {
        this.instance = instance;
    }

    /**
     * Compares one topic, host and certificate.
     *
     * @param fullTopic full name of a topic, or null
     * @param bootstrapHost host of a bootstrap entry, or null
     * @param certificateSubject distinguished name of the client certificate, or null
     * @return one line a mismatch with both names and the mend; empty if all agree
     */
    public List<String> check(String fullTopic, String bootstrapHost, String certificateSubject) {
        List<String> mismatches = new ArrayList<>();
        if (fullTopic != null) {
            String found = new HermesTopic(fullTopic).instance();
            add(mismatches, "topic '" + fullTopic + "'", Optional.of(found));
        }
        if (bootstrapHost != null) {
            add(mismatches, "host '" + bootstrapHost + "'", ofHost(bootstrapHost));
        }
        if (certificateSubject != null) {
            add(
                    mismatches,
                    "certificate '" + TopicNames.shown(certificateSubject) + "'",
                    ofSubject(certificateSubject));
        }
        return List.copyOf(mismatches);
    }

    /** The instance whose host this is, or none outside of the domain. */
    Optional<String> ofHost(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        String suffix = "." + instance.domain();
        if (!name.endsWith(suffix)) {
            return Optional.empty();
        }
        String rest = name.substring(0, name.length() - suffix.length());
        return rest.isEmpty() || rest.equals("*")
                ? Optional.empty()
                : Optional.of(rest.substring(rest.lastIndexOf('.') + 1));
    }

    private Optional<String> ofSubject(String subject) {
        try {
            List<Rdn> parts = new LdapName(subject).getRdns();
            for (Rdn rdn : parts) {
                String value = String.valueOf(rdn.getValue());
                Optional<String> found =
                        HermesTopic.isFull(value)
                                ? Optional.of(value.split("\\.", -1)[1])
                                : ofHost(value);
                if (found.isPresent()) {
                    return found;
                }
            }
            return ofOrganisation(parts);
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    /** A company's name has capitals, blanks or a unit of its own, and says nothing. */
    private static Optional<String> ofOrganisation(List<Rdn> parts) {
        List<String> organisations = values(parts, "O");
        boolean hermes =
                values(parts, "OU").stream()
                        .anyMatch(unit -> unit.equals("hermes") || unit.startsWith("hermes "));
        return hermes && organisations.size() == 1
                ? organisations.stream().filter(HermesInstance::isName).findFirst()
                : Optional.empty();
    }

    private static List<String> values(List<Rdn> parts, String type) {
        return parts.stream()
                .filter(rdn -> rdn.getType().equalsIgnoreCase(type))
                .map(rdn -> String.valueOf(rdn.getValue()))
                .toList();
    }

    private void add(List<String> mismatches, String what, Optional<String> found) {
        found.filter(name -> !name.equals(instance.name()))
                .ifPresent(
                        name ->
                                mismatches.add(
                                        what
                                                + " is of instance '"
                                                + name
                                                + "', but the configured instance is '"
                                                + instance.name()
                                                + "'; correct one of them"));
    }
}
