package dev.streamconnect.it;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What kind of certificate to issue: by default a good one with the usual rights.
 *
 * @param parameters of the control request
 */
public record CertificateWish(Map<String, Object> parameters) {

    public CertificateWish {
        parameters = Map.copyOf(parameters);
    }

    /** A name is the principal and the folder; using it again replaces the files. */
    public static CertificateWish named(String name) {
        return new CertificateWish(Map.of("name", name));
    }

    /** Rights such as {@code rw@snc.acme.ns.*;r@snc.acme.orders}, or {@code none}. */
    public CertificateWish acl(String acl) {
        return with("acl", acl);
    }

    public CertificateWish principal(String principal) {
        return with("principal", principal);
    }

    /** Signed by an authority that the brokers do not trust. */
    public CertificateWish byOtherAuthority() {
        return with("ca", "other");
    }

    /** Signed by the authority that may follow the first one. */
    public CertificateWish byNextAuthority() {
        return with("ca", "next");
    }

    /** With both authorities in the truststore. */
    public CertificateWish trustingBoth() {
        return with("trust", "both");
    }

    /** Exactly so long, from now on. */
    public CertificateWish fromNow(Duration time) {
        return with("validFrom", "+0").with("validSeconds", time.toSeconds());
    }

    /** With another instance in its subject. */
    public CertificateWish ofInstance(String instance) {
        return with("instance", instance);
    }

    public CertificateWish validFor(Duration time) {
        return with("validSeconds", time.toSeconds());
    }

    public CertificateWish expired() {
        return with("validFrom", "-120").with("validSeconds", 60);
    }

    public CertificateWish notYetValid() {
        return with("validFrom", "+3600").with("validSeconds", 60);
    }

    private CertificateWish with(String name, Object value) {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put(name, value);
        return new CertificateWish(all);
    }
}
