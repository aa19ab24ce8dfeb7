package dev.streamconnect.sandbox;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.sandbox.broker.ServerTls;
import dev.streamconnect.sandbox.client.SandboxCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The stores of the brokers: their certificate and the authorities whose clients they take. */
public final class ServerFiles {

    private final ServerTls tls;
    private final SandboxCertificates certificates;
    private final List<String> dns = new ArrayList<>();
    private final List<String> ip = new ArrayList<>();

    /**
     * @param names hosts and addresses of the brokers
     */
    public ServerFiles(
            Path folder, String password, SandboxCertificates certificates, List<String> names) {
        this.tls =
                new ServerTls(
                        folder.resolve("server.p12"), folder.resolve("trusted.p12"), password);
        this.certificates = certificates;
        for (String name : names) {
            (name.matches("[0-9.]+|.*:.*") ? ip : dns).add(name);
        }
    }

    /** Where they are. */
    public ServerTls tls() {
        return tls;
    }

    /** Writes or replaces them; a broker reads them when it starts. */
    public void write(CertificateAuthority signer, List<X509Certificate> trusted)
            throws IOException, GeneralSecurityException {
        char[] secret = tls.password().toCharArray();
        KeyStores.writeKeyStore(tls.keyStore(), certificates.server(signer, dns, ip), secret);
        KeyStores.writeTrustStore(tls.trustStore(), trusted, secret);
    }
}
