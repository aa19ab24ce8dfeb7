package dev.streamconnect.camel.hermes;

import dev.streamconnect.certificate.CertificateRenewal;
import dev.streamconnect.certificate.DownloadedStores;
import dev.streamconnect.certificate.StoreFiles;
import dev.streamconnect.cluster.Causes;
import dev.streamconnect.spi.CertificateIssuer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files of the component's own certificate fresh: by an issuer, and by stores that
 * somebody downloads. One thread at a time.
 */
final class CertificateTasks {

    private static final Logger LOG = LoggerFactory.getLogger(CertificateTasks.class);

    /** Files that are looked at come each time; an issuer that failed has a rest. */
    private static final int REST = 6;

    private final StoreFiles files;
    private final CertificateRenewal renewal;
    private final DownloadedStores downloads;
    private final Consumer<String> onFault;
    private String told = "";
    private String renewalFault = "";
    private int rest;

    private CertificateTasks(
            StoreFiles files,
            CertificateRenewal renewal,
            DownloadedStores downloads,
            Consumer<String> onFault) {
        this.files = files;
        this.renewal = renewal;
        this.downloads = downloads;
        this.onFault = onFault;
    }

    /**
     * For the options of a component.
     *
     * @param issuer null for none
     * @param onFault told why there is no new certificate; null when there is no reason any more
     * @return null if there is nothing to do
     */
    static CertificateTasks of(
            HermesConfiguration form,
            CertificateIssuer issuer,
            String downloads,
            Clock clock,
            Consumer<String> onFault) {
        if (form.getKeystore() == null
                || form.getKeystorePassword() == null
                || (issuer == null && downloads == null)) {
            return null;
        }
        boolean hasTruststore =
                form.getTruststore() != null && form.getTruststorePassword() != null;
        StoreFiles files =
                new StoreFiles(
                        path(form.getKeystore()),
                        form.getKeystorePassword(),
                        form.getKeyPassword(),
                        hasTruststore ? path(form.getTruststore()) : null,
                        hasTruststore ? form.getTruststorePassword() : null);
        return new CertificateTasks(
                files,
                issuer == null ? null : new CertificateRenewal(files, issuer, clock),
                downloads == null ? null : new DownloadedStores(path(downloads), files, clock),
                onFault);
    }

    private static Path path(String option) {
        return Path.of(option.startsWith("file:") ? option.substring("file:".length()) : option);
    }

    /** Looks once; blocks for as long as an issuer takes. */
    void runOnce() {
        List<String> faults = new ArrayList<>();
        if (downloads != null) {
            faults.add(takeDownloads());
        }
        if (renewal != null) {
            renewalFault = rest-- > 0 ? renewalFault : renew();
            faults.add(renewalFault);
        }
        faults.removeIf(String::isEmpty);
        String fault = String.join("; ", faults);
        onFault.accept(fault.isEmpty() ? null : fault);
        if (!fault.isEmpty() && !fault.equals(told)) {
            LOG.warn("no new certificate for {}: {}", files.keyStore(), fault);
        }
        told = fault;
    }

    private String takeDownloads() {
        try {
            if (downloads.runOnce()) {
                LOG.info("downloaded stores take the place of {}", files);
            }
            return downloads.fault();
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            return Causes.shortest(e);
        }
    }

    private String renew() {
        try {
            if (renewal.runOnce()) {
                LOG.info("the issuer made a new certificate for {}", files.keyStore());
            }
            rest = 0;
            return "";
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            rest = REST;
            return Causes.shortest(e);
        }
    }
}
