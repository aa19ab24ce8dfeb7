package dev.streamconnect.preflight;

import dev.streamconnect.cluster.InstanceMatch;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/** Judges the certificate that a connection shows to brokers. */
final class OwnCertificate {

    private OwnCertificate() {}

    /**
     * Judges it.
     *
     * @param certificate null if the connection shows none
     */
    static Verdict verdict(X509Certificate certificate, HermesRules hermes, Instant now) {
        if (certificate == null) {
            return hermes == null
                    ? Verdict.ok("none is shown")
                    : Verdict.fail(
                            "there is none, and Hermes wants one",
                            "give the keystore that the instance's certificate generator made");
        }
        String subject = certificate.getSubjectX500Principal().getName();
        CertificateDates dates = new CertificateDates(certificate, now);
        String found = subject + "; " + dates;
        if (dates.isOver()) {
            return Verdict.fail(
                    found, "have a new certificate issued and put it into the keystore");
        }
        if (dates.isToCome()) {
            return Verdict.fail(
                    found, "correct this machine's clock, or wait until the certificate holds");
        }
        List<String> others =
                hermes == null
                        ? List.of()
                        : new InstanceMatch(hermes.instance()).check(null, null, subject);
        if (!others.isEmpty()) {
            String mend = "use the keystore of the instance, or correct the instance";
            return hermes.otherInstanceAllowed()
                    ? Verdict.warn(others.get(0), mend)
                    : Verdict.fail(others.get(0), mend);
        }
        return dates.endsSoon()
                ? Verdict.warn(found, "have a new certificate issued before this one ends")
                : Verdict.ok(found);
    }
}
