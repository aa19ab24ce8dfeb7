package dev.streamconnect.spi;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * Turns a certificate request into a client certificate of one ServiceNow instance.
 *
 * <p>An implementation may sign locally (development, tests) or ask a remote authority. It never
 * sees a private key. Calls can come from any thread and may block for as long as the authority
 * takes; an implementation bounds that time itself.
 */
public interface CertificateIssuer {

    /**
     * Issues a client certificate for the public key and subject of the request.
     *
     * @param pkcs10 a PKCS#10 certification request, DER encoded, never null
     * @return the chain, the client's own certificate first and the authority's last; never empty
     * @throws IOException if the authority cannot be reached now; the call may be repeated
     * @throws GeneralSecurityException if the request is refused; repeating it unchanged does not
     *     help
     */
    List<X509Certificate> issue(byte[] pkcs10) throws IOException, GeneralSecurityException;

    /**
     * The authorities that vouch for the brokers of the instance, to be put in a client's trust
     * store.
     *
     * @return at least one certificate
     * @throws IOException if the authority cannot be reached now; the call may be repeated
     */
    List<X509Certificate> trustAnchors() throws IOException;
}
