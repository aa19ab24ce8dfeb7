package dev.streamconnect.cluster;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checked TLS stores as Kafka clients take them. Opening the stores here, before any client is
 * built, tells which password is wrong and when a certificate ends; a broker tells neither.
 */
public final class TlsMaterial {

    private static final String VERIFICATION = "ssl.endpoint.identification.algorithm";

    private final Map<String, Object> properties;
    private final KeyStore keystore;
    private final String keyPassword;
    private final KeyStore truststore;
    private final CertificateLife life;

    private TlsMaterial(Map<String, Object> properties, OwnKey key, KeyStore truststore) {
        this.properties = Collections.unmodifiableMap(properties);
        this.keystore = key == null ? null : key.store();
        this.keyPassword = key == null ? null : key.password();
        this.life = key == null ? null : CertificateLife.of(key.chain());
        this.truststore = truststore;
    }

    /** An opened keystore and what of it is used. */
    private record OwnKey(KeyStore store, String password, Certificate[] chain) {}

    /**
     * Opens and checks the stores.
     *
     * @param clock tells whether a certificate is valid now
     * @throws IllegalArgumentException one line with the option, the reason and the mend; never a
     *     secret
     */
    public static TlsMaterial load(TlsOptions options, Clock clock) {
        return load(options, clock.instant());
    }

    /**
     * As {@link #load(TlsOptions, Clock)}, but takes a certificate that is not valid now: for one
     * who judges its dates.
     */
    public static TlsMaterial loadOfAnyTime(TlsOptions options) {
        return load(options, (Instant) null);
    }

    /** No stores at all. */
    public static TlsMaterial none() {
        return new TlsMaterial(Map.of(), null, null);
    }

    private static TlsMaterial load(TlsOptions options, Instant now) {
        Map<String, Object> properties = new LinkedHashMap<>();
        OwnKey key = options.keystore() == null ? null : keystore(options, now, properties);
        KeyStore truststore =
                options.truststore() == null ? null : truststore(options.truststore(), properties);
        if (!options.hostnameVerification()) {
            properties.put(VERIFICATION, "");
        }
        if (options.provider() != null) {
            properties.put("ssl.provider", options.provider());
        }
        return new TlsMaterial(properties, key, truststore);
    }

    /**
     * The {@code ssl.*} properties of a Kafka client, without {@code security.protocol}; hold
     * passwords, unmodifiable.
     */
    public Map<String, Object> properties() {
        return properties;
    }

    /** Distinguished name of the client certificate; null without a keystore. */
    public String subject() {
        return life == null ? null : life.subject();
    }

    /** Whom the client certificate names, and when it ends; null without a keystore. */
    public CertificateLife life() {
        return life;
    }

    /** The opened keystore; null for none. */
    KeyStore keystore() {
        return keystore;
    }

    /** Opens the key of the keystore; null for none. */
    char[] keyPassword() {
        return keyPassword == null ? null : keyPassword.toCharArray();
    }

    /** The opened truststore; null for the Java default. */
    KeyStore truststore() {
        return truststore;
    }

    /** Names the certificate, never a password. */
    @Override
    public String toString() {
        return "TlsMaterial[" + life + "]";
    }

    private static OwnKey keystore(
            TlsOptions options, Instant now, Map<String, Object> properties) {
        TlsStore source = options.keystore();
        StoreReader.Opened opened = StoreReader.openKeystore(options);
        KeyStore store = opened.store();
        String keyPassword = opened.keyPassword();
        try {
            String alias = keyAlias(store);
            if (alias == null) {
                throw new IllegalArgumentException(
                        source.option()
                                + ": "
                                + source.place()
                                + " holds no private key; is it the truststore? Give the client's keystore");
            }
            Key key = key(options, store, alias, keyPassword);
            Certificate[] chain = store.getCertificateChain(alias);
            checkDates(source, chain, now);
            if (source.location() == null || opened.isPem()) {
                properties.put("ssl.keystore.type", "PEM");
                properties.put("ssl.keystore.key", pem("PRIVATE KEY", key.getEncoded()));
                properties.put("ssl.keystore.certificate.chain", pem(chain));
            } else {
                properties.put("ssl.keystore.location", source.location());
                properties.put("ssl.keystore.type", opened.type());
                properties.put("ssl.keystore.password", source.password());
                properties.put("ssl.key.password", keyPassword);
            }
            return new OwnKey(store, keyPassword, chain);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " holds a key or certificate that Java cannot read");
        }
    }

    private static Key key(TlsOptions options, KeyStore store, String alias, String keyPassword)
            throws GeneralSecurityException {
        try {
            return store.getKey(alias, keyPassword.toCharArray());
        } catch (UnrecoverableKeyException e) {
            String place = options.keystore().place();
            throw new IllegalArgumentException(
                    options.keyPassword() == null
                            ? options.keyPasswordOption()
                                    + ": is missing; the key in "
                                    + place
                                    + " has a password of its own, give it"
                            : options.keyPasswordOption()
                                    + ": does not open the key in "
                                    + place
                                    + "; give the key's password, or remove the option where it is the store's");
        }
    }

    private static void checkDates(TlsStore source, Certificate[] chain, Instant now) {
        if (now == null || !(chain[0] instanceof X509Certificate certificate)) {
            return;
        }
        String name = "certificate '" + certificate.getSubjectX500Principal().getName() + "'";
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isAfter(until)) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + name
                            + " in "
                            + source.place()
                            + " expired on "
                            + until
                            + "; have a new one issued");
        }
        if (now.isBefore(from)) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + name
                            + " in "
                            + source.place()
                            + " is not valid before "
                            + from
                            + "; check this machine's clock");
        }
    }

    private static KeyStore truststore(TlsStore source, Map<String, Object> properties) {
        StoreReader.Opened opened = StoreReader.openTruststore(source);
        try {
            Certificate[] trusted = certificates(opened.store());
            if (trusted.length == 0) {
                throw new IllegalArgumentException(
                        source.password() == null && !opened.isPem()
                                ? source.passwordOption()
                                        + ": is missing; without it no certificate of "
                                        + source.place()
                                        + " can be read"
                                : source.option()
                                        + ": "
                                        + source.place()
                                        + " holds no certificate to trust");
            }
            if (source.location() == null || opened.isPem()) {
                properties.put("ssl.truststore.type", "PEM");
                properties.put("ssl.truststore.certificates", pem(trusted));
                return opened.store();
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    source.option()
                            + ": "
                            + source.place()
                            + " holds a certificate that Java cannot read");
        }
        properties.put("ssl.truststore.location", source.location());
        properties.put("ssl.truststore.type", opened.type());
        if (source.password() != null) {
            properties.put("ssl.truststore.password", source.password());
        }
        return opened.store();
    }

    private static Certificate[] certificates(KeyStore store) throws GeneralSecurityException {
        Map<String, Certificate> trusted = new LinkedHashMap<>();
        for (Enumeration<String> aliases = store.aliases(); aliases.hasMoreElements(); ) {
            String alias = aliases.nextElement();
            if (store.isCertificateEntry(alias)) {
                trusted.put(alias, store.getCertificate(alias));
            }
        }
        return trusted.values().toArray(new Certificate[0]);
    }

    private static String keyAlias(KeyStore store) throws GeneralSecurityException {
        for (Enumeration<String> aliases = store.aliases(); aliases.hasMoreElements(); ) {
            String alias = aliases.nextElement();
            if (store.isKeyEntry(alias) && store.getCertificateChain(alias) != null) {
                return alias;
            }
        }
        return null;
    }

    private static String pem(Certificate[] certificates) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        for (Certificate certificate : certificates) {
            text.append(pem("CERTIFICATE", certificate.getEncoded()));
        }
        return text.toString();
    }

    private static String pem(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }
}
