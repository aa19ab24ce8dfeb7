package dev.streamconnect.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A fresh key pair and the PKCS#10 request that asks for its certificate. The private key stays
 * here.
 */
public final class CertificateRequest {

    private final KeyPair keys;
    private final byte[] pkcs10;

    private CertificateRequest(KeyPair keys, byte[] pkcs10) {
        this.keys = keys;
        this.pkcs10 = pkcs10;
    }

    /**
     * Makes an EC P-256 key pair and a request signed with it.
     *
     * @throws GeneralSecurityException if the JVM offers no such keys
     */
    public static CertificateRequest create(HermesSubject subject) throws GeneralSecurityException {
        return create(subject.toX500Name());
    }

    /**
     * Asks for the successor of a certificate: the same subject, a new key.
     *
     * @throws GeneralSecurityException if the JVM offers no such keys
     */
    public static CertificateRequest renewing(X509Certificate present)
            throws GeneralSecurityException {
        return create(X500Name.getInstance(present.getSubjectX500Principal().getEncoded()));
    }

    private static CertificateRequest create(X500Name subject) throws GeneralSecurityException {
        KeyPair keys = newKeys();
        try {
            byte[] encoded =
                    new JcaPKCS10CertificationRequestBuilder(subject, keys.getPublic())
                            .build(BouncyCastle.signer(keys.getPrivate()))
                            .getEncoded();
            return new CertificateRequest(keys, encoded);
        } catch (OperatorCreationException | IOException e) {
            throw new GeneralSecurityException("cannot sign the request of " + subject, e);
        }
    }

    /** The request, DER encoded. */
    public byte[] pkcs10() {
        return pkcs10.clone();
    }

    /**
     * Joins the private key and the chain that answers this request.
     *
     * @throws GeneralSecurityException if the chain's first certificate is for another key
     */
    public KeyMaterial complete(List<X509Certificate> chain) throws GeneralSecurityException {
        if (chain.isEmpty() || !chain.get(0).getPublicKey().equals(keys.getPublic())) {
            throw new GeneralSecurityException(
                    "the issued certificate is not for the requested key");
        }
        return new KeyMaterial(keys.getPrivate(), chain);
    }

    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }
}
