package dev.streamconnect.certificate;

import java.security.PrivateKey;
import java.security.Provider;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The provider as an instance, and what is signed with it. */
final class BouncyCastle {

    static final Provider PROVIDER = new BouncyCastleProvider();

    private BouncyCastle() {}

    static ContentSigner signer(PrivateKey key) throws OperatorCreationException {
        return new JcaContentSignerBuilder("SHA256withECDSA").setProvider(PROVIDER).build(key);
    }
}
