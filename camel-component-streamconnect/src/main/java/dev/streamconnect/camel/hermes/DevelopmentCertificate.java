package dev.streamconnect.camel.hermes;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.CertificateRenewal;
import dev.streamconnect.certificate.DevelopmentStores;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.certificate.StoreFiles;
import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;

/**
 * Has the component's own certificate and stores made where no keystore is given, as a MID Server
 * gets its own: by an issuer, or by a local authority for development and the sandbox.
 */
final class DevelopmentCertificate {

    private DevelopmentCertificate() {}

    /**
     * The form with the stores filled in; the same form where it names a keystore, or there is no
     * issuer. Stores that are there already are used, with a new certificate where theirs has
     * expired.
     *
     * @param issuer null: the authority that the form names
     * @throws IllegalArgumentException if no certificate can be made; one line with option and mend
     */
    static HermesConfiguration complete(HermesConfiguration form, CertificateIssuer issuer) {
        if (form.getKeystore() != null
                || (issuer == null && form.getDevelopmentAuthority() == null)) {
            return form;
        }
        if (form.getKeystorePassword() == null) {
            throw new IllegalArgumentException(
                    "keystorePassword: is missing; it opens developmentAuthority and protects the stores made from it");
        }
        CertificateIssuer used = issuer == null ? issuer(form) : issuer;
        String password = form.getKeystorePassword();
        try {
            DevelopmentStores stores =
                    DevelopmentStores.ensure(
                            Path.of(form.getDevelopmentStores()),
                            used,
                            form.getInstance(),
                            form.getDevelopmentClient(),
                            password.toCharArray());
            new CertificateRenewal(
                            new StoreFiles(
                                    stores.keyStore(),
                                    password,
                                    null,
                                    stores.trustStore(),
                                    password),
                            used,
                            Clock.systemUTC())
                    .runIfExpired();
            HermesConfiguration complete = form.copy();
            complete.setKeystore(stores.keyStore().toString());
            complete.setTruststore(stores.trustStore().toString());
            complete.setTruststorePassword(password);
            return complete;
        } catch (IOException | GeneralSecurityException e) {
            throw noCertificate(form, e);
        }
    }

    /**
     * The authority that the form names; null for none.
     *
     * @throws IllegalArgumentException if it can't be used; one line with option and mend
     */
    static CertificateIssuer issuer(HermesConfiguration form) {
        if (form.getDevelopmentAuthority() == null || form.getKeystorePassword() == null) {
            return null;
        }
        Path authority = Path.of(form.getDevelopmentAuthority());
        if (!Files.isReadable(authority)) {
            throw new IllegalArgumentException(
                    "developmentAuthority: there is no readable file "
                            + authority
                            + "; the sandbox writes its own as ca.p12");
        }
        try {
            return new LocalCertificateIssuer(
                    CertificateAuthority.load(authority, form.getKeystorePassword().toCharArray()),
                    LocalCertificateIssuer.DEFAULT_LIFETIME,
                    Clock.systemUTC());
        } catch (IOException | GeneralSecurityException e) {
            throw noCertificate(form, e);
        }
    }

    private static IllegalArgumentException noCertificate(HermesConfiguration form, Exception e) {
        return new IllegalArgumentException(
                form.getDevelopmentAuthority() == null
                        ? "certificateIssuer: no certificate can be had from it: "
                                + Causes.shortest(e)
                        : "developmentAuthority: no certificate can be made with "
                                + form.getDevelopmentAuthority()
                                + " (is keystorePassword its password?): "
                                + Causes.shortest(e));
    }
}
