package dev.streamconnect.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;

/**
 * A self-signed authority with an EC P-256 key, for development and tests. It issues what it is
 * asked for, also certificates that have expired or are not valid yet. Safe for use by many
 * threads.
 */
public final class CertificateAuthority {

    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyMaterial own;

    private CertificateAuthority(KeyMaterial own) {
        this.own = own;
    }

    /**
     * Makes a new authority. Two of the same name are different authorities: each has its own key.
     */
    public static CertificateAuthority create(HermesSubject subject, Validity validity)
            throws GeneralSecurityException {
        KeyPair keys = CertificateRequest.newKeys();
        X500Name name = subject.toX500Name();
        SubjectPublicKeyInfo publicKey = publicKeyInfo(keys.getPublic());
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder builder =
                    builder(name, validity, name, publicKey)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                            .addExtension(
                                    Extension.keyUsage,
                                    true,
                                    new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                            .addExtension(
                                    Extension.subjectKeyIdentifier,
                                    false,
                                    extensions.createSubjectKeyIdentifier(publicKey));
            X509Certificate certificate =
                    new JcaX509CertificateConverter()
                            .getCertificate(builder.build(BouncyCastle.signer(keys.getPrivate())));
            return new CertificateAuthority(
                    new KeyMaterial(keys.getPrivate(), List.of(certificate)));
        } catch (OperatorCreationException | IOException e) {
            throw new GeneralSecurityException("cannot make the authority " + subject, e);
        }
    }

    /** Reads an authority that {@link #save} wrote. */
    public static CertificateAuthority load(Path keyStore, char[] password)
            throws IOException, GeneralSecurityException {
        return new CertificateAuthority(KeyStores.readKeyStore(keyStore, password));
    }

    /** Writes key and certificate as a PKCS12 file that only its owner may read. */
    public void save(Path keyStore, char[] password) throws IOException, GeneralSecurityException {
        KeyStores.writeKeyStore(keyStore, own, password);
    }

    /** The authority's own certificate, to be trusted by the other end. */
    public X509Certificate certificate() {
        return own.certificate();
    }

    /**
     * Issues a client certificate (extended key usage {@code clientAuth}) to the subject of a
     * request.
     *
     * @param pkcs10 DER encoded request
     * @return the new certificate and this authority's
     * @throws GeneralSecurityException if the request cannot be read or its signature is not by the
     *     requested key
     */
    public List<X509Certificate> issueClient(byte[] pkcs10, Validity validity)
            throws GeneralSecurityException {
        JcaPKCS10CertificationRequest request = verified(pkcs10);
        return issue(request.getSubject(), request.getPublicKey(), validity, null);
    }

    /** Makes a key pair and its client certificate in one step. */
    public KeyMaterial issueClient(HermesSubject subject, Validity validity)
            throws GeneralSecurityException {
        CertificateRequest request = CertificateRequest.create(subject);
        return request.complete(issueClient(request.pkcs10(), validity));
    }

    /**
     * Makes a key pair and its server certificate (extended key usage {@code serverAuth}).
     *
     * @param names the hosts that it vouches for
     */
    public KeyMaterial issueServer(HermesSubject subject, ServerNames names, Validity validity)
            throws GeneralSecurityException {
        KeyPair keys = CertificateRequest.newKeys();
        return new KeyMaterial(
                keys.getPrivate(),
                issue(subject.toX500Name(), keys.getPublic(), validity, names.toGeneralNames()));
    }

    private List<X509Certificate> issue(
            X500Name subject, PublicKey key, Validity validity, GeneralNames serverNames)
            throws GeneralSecurityException {
        SubjectPublicKeyInfo publicKey = publicKeyInfo(key);
        KeyPurposeId purpose =
                serverNames == null ? KeyPurposeId.id_kp_clientAuth : KeyPurposeId.id_kp_serverAuth;
        try {
            JcaX509ExtensionUtils extensions = new JcaX509ExtensionUtils();
            X500Name issuer =
                    X500Name.getInstance(certificate().getSubjectX500Principal().getEncoded());
            X509v3CertificateBuilder builder =
                    builder(issuer, validity, subject, publicKey)
                            .addExtension(
                                    Extension.basicConstraints, true, new BasicConstraints(false))
                            .addExtension(
                                    Extension.keyUsage,
                                    true,
                                    new KeyUsage(KeyUsage.digitalSignature))
                            .addExtension(
                                    Extension.extendedKeyUsage,
                                    false,
                                    new ExtendedKeyUsage(purpose))
                            .addExtension(
                                    Extension.subjectKeyIdentifier,
                                    false,
                                    extensions.createSubjectKeyIdentifier(publicKey))
                            .addExtension(
                                    Extension.authorityKeyIdentifier,
                                    false,
                                    extensions.createAuthorityKeyIdentifier(
                                            certificate().getPublicKey()));
            if (serverNames != null) {
                builder.addExtension(Extension.subjectAlternativeName, false, serverNames);
            }
            X509Certificate issued =
                    new JcaX509CertificateConverter()
                            .getCertificate(builder.build(BouncyCastle.signer(own.key())));
            return List.of(issued, certificate());
        } catch (OperatorCreationException | IOException e) {
            throw new GeneralSecurityException("cannot issue a certificate to " + subject, e);
        }
    }

    private static JcaPKCS10CertificationRequest verified(byte[] pkcs10)
            throws GeneralSecurityException {
        try {
            JcaPKCS10CertificationRequest request =
                    new JcaPKCS10CertificationRequest(pkcs10).setProvider(BouncyCastle.PROVIDER);
            boolean valid =
                    request.isSignatureValid(
                            new JcaContentVerifierProviderBuilder()
                                    .setProvider(BouncyCastle.PROVIDER)
                                    .build(request.getPublicKey()));
            if (!valid) {
                throw new GeneralSecurityException(
                        "the request is not signed by the key that it asks a certificate for");
            }
            return request;
        } catch (IOException | OperatorCreationException | PKCSException e) {
            throw new GeneralSecurityException("not a readable PKCS#10 request", e);
        }
    }

    private static X509v3CertificateBuilder builder(
            X500Name issuer, Validity validity, X500Name subject, SubjectPublicKeyInfo key) {
        return new X509v3CertificateBuilder(
                issuer,
                new BigInteger(127, RANDOM).add(BigInteger.ONE),
                Date.from(validity.notBefore()),
                Date.from(validity.notAfter()),
                subject,
                key);
    }

    private static SubjectPublicKeyInfo publicKeyInfo(PublicKey key) {
        return SubjectPublicKeyInfo.getInstance(key.getEncoded());
    }
}
