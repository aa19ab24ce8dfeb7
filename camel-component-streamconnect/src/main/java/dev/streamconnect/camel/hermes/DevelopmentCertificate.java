package dev.streamconnect.camel.hermes;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.DevelopmentStores;
import dev.streamconnect.certificate.LocalCertificateIssuer;
import dev.streamconnect.cluster.Causes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;

/**
 * Makes the component's own certificate and stores from a local authority where no keystore is
 * given, as a MID Server gets its own: for development and the sandbox.
 */
final class DevelopmentCertificate {

    private DevelopmentCertificate() {}

    /**
     * The form with the stores filled in; the same form where it names a keystore or no authority.
     *
     * @throws IllegalArgumentException if the authority can't be used; one line with option and
     *     mend
     */
    static HermesConfiguration complete(HermesConfiguration form) {
        if (form.getKeystore() != null || form.getDevelopmentAuthority() == null) {
            return form;
        }
        Path authority = Path.of(form.getDevelopmentAuthority());
        if (!Files.isReadable(authority)) {
            throw new IllegalArgumentException(
                    "developmentAuthority: there is no readable file "
                            + authority
                            + "; the sandbox writes its own as ca.p12");
        }
        if (form.getKeystorePassword() == null) {
            throw new IllegalArgumentException(
                    "keystorePassword: is missing; it opens developmentAuthority and protects the stores made from it");
        }
        char[] password = form.getKeystorePassword().toCharArray();
        try {
            DevelopmentStores stores =
                    DevelopmentStores.ensure(
                            Path.of(form.getDevelopmentStores()),
                            new LocalCertificateIssuer(
                                    CertificateAuthority.load(authority, password),
                                    LocalCertificateIssuer.DEFAULT_LIFETIME,
                                    Clock.systemUTC()),
                            form.getInstance(),
                            form.getDevelopmentClient(),
                            password);
            HermesConfiguration complete = form.copy();
            complete.setKeystore(stores.keyStore().toString());
            complete.setTruststore(stores.trustStore().toString());
            complete.setTruststorePassword(form.getKeystorePassword());
            return complete;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "developmentAuthority: no certificate can be made with "
                            + authority
                            + " (is keystorePassword its password?): "
                            + Causes.shortest(e));
        }
    }
}
