package dev.streamconnect.certificate;

import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * Whom a Hermes certificate names. Java and Kafka print it as {@code
 * CN=<name>,OU=hermes…,O=<instance>}, so that a principal mapping rule can begin with {@code ^CN=}.
 *
 * @param name the common name; a client's name is its principal on the brokers
 * @param unit {@code hermes} or a text that begins with it
 * @param instance the ServiceNow instance that the certificate belongs to
 */
public record HermesSubject(String name, String unit, String instance) {

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9._*-]{1,64}");

    public HermesSubject {
        requireWord("name", name);
        requireWord("instance", instance);
        if (!unit.startsWith("hermes")) {
            throw new IllegalArgumentException("unit must begin with hermes, but is " + unit);
        }
    }

    /** The subject of a client certificate. */
    public static HermesSubject client(String name, String instance) {
        return new HermesSubject(name, "hermes client", instance);
    }

    /** The subject of a broker's or gateway's certificate. */
    public static HermesSubject server(String name, String instance) {
        return new HermesSubject(name, "hermes server", instance);
    }

    /** The subject of an instance's authority. */
    public static HermesSubject authority(String name, String instance) {
        return new HermesSubject(name, "hermes authority", instance);
    }

    /** The instance that a certificate names in its organisation (O), empty if it names none. */
    public static Optional<String> instanceOf(X509Certificate certificate) {
        return attribute(certificate, "O");
    }

    /** The common name (CN) of a certificate, empty if it has none. */
    public static Optional<String> nameOf(X509Certificate certificate) {
        return attribute(certificate, "CN");
    }

    /**
     * As Bouncy Castle's name: most significant part first, since Java prints it in reverse order.
     */
    X500Name toX500Name() {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.O, instance)
                .addRDN(BCStyle.OU, unit)
                .addRDN(BCStyle.CN, name)
                .build();
    }

    private static Optional<String> attribute(X509Certificate certificate, String type) {
        String subject = certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
        try {
            return new LdapName(subject)
                    .getRdns().stream()
                            .filter(rdn -> rdn.getType().equalsIgnoreCase(type))
                            .map(Rdn::getValue)
                            .filter(String.class::isInstance)
                            .map(String.class::cast)
                            .findFirst();
        } catch (InvalidNameException e) {
            return Optional.empty();
        }
    }

    private static void requireWord(String what, String value) {
        if (value == null || !WORD.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a certificate's "
                            + what
                            + " has 1 to 64 letters, digits, dots, hyphens and underscores, but is '"
                            + value
                            + "'");
        }
    }
}
