package dev.streamconnect.preflight;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.StoreProperties;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** TLS with the stores and options of a Kafka client, read as Kafka's client reads them. */
final class ClientTls {

    private static final String PEM = "PEM";

    private final Map<String, ?> values;
    private final KeyStore keystore;
    private final KeyStore truststore;

    private ClientTls(Map<String, ?> values, KeyStore keystore, KeyStore truststore) {
        this.values = values;
        this.keystore = keystore;
        this.truststore = truststore;
    }

    /**
     * Opens the stores.
     *
     * @throws IllegalArgumentException if they cannot be used; one line without a secret
     */
    static ClientTls of(ConnectionSettings settings) {
        Map<String, Object> properties = settings.properties();
        requireFile(properties, SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG);
        requireFile(properties, SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG);
        try (DefaultSslEngineFactory kafka = new DefaultSslEngineFactory()) {
            Map<String, ?> values =
                    new AbstractConfig(new ConfigDef().withClientSslSupport(), properties, false)
                            .values();
            kafka.configure(values);
            return new ClientTls(values, kafka.keystore(), kafka.truststore());
        } catch (KafkaException e) {
            throw new IllegalArgumentException(
                    StoreProperties.fault(settings).orElse(Causes.shortest(e)), e);
        }
    }

    /** Kafka's client would log the whole stack of a missing file. */
    private static void requireFile(Map<String, Object> properties, String option) {
        Object location = properties.get(option);
        if (location != null && !new File(location.toString()).isFile()) {
            throw new IllegalArgumentException(option + ": there is no file '" + location + "'");
        }
    }

    /** The certificate that is shown to brokers; null if there is none. */
    X509Certificate ownCertificate() {
        try {
            if (keystore == null) {
                return null;
            }
            for (Enumeration<String> aliases = keystore.aliases(); aliases.hasMoreElements(); ) {
                String alias = aliases.nextElement();
                if (keystore.isKeyEntry(alias)
                        && keystore.getCertificate(alias) instanceof X509Certificate own) {
                    return own;
                }
            }
            return null;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(Causes.shortest(e), e);
        }
    }

    /** False leaves it to the authorities that this Java knows. */
    boolean hasTruststore() {
        return truststore != null;
    }

    /** False takes a broker's certificate whatever host it names. */
    boolean verifiesNames() {
        Object algorithm = values.get(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG);
        return algorithm != null && !algorithm.toString().isBlank();
    }

    /**
     * A TLS socket over a connection, before its handshake.
     *
     * @param seen gets the certificates that the broker shows
     */
    SSLSocket over(Socket connection, String host, int port, ShownCertificate seen)
            throws IOException, GeneralSecurityException {
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(text(SslConfigs.SSL_KEYMANAGER_ALGORITHM_CONFIG));
        keys.init(keystore, keystore == null ? null : keyPassword());
        SSLContext context = context();
        context.init(
                keystore == null ? null : keys.getKeyManagers(),
                new TrustManager[] {seen.askedOf(trust())},
                null);
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(connection, host, port, true);
        socket.setUseClientMode(true);
        SSLParameters parameters = socket.getSSLParameters();
        Object ciphers = values.get(SslConfigs.SSL_CIPHER_SUITES_CONFIG);
        if (ciphers instanceof List<?> list && !list.isEmpty()) {
            parameters.setCipherSuites(strings(list));
        }
        if (values.get(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG) instanceof List<?> list) {
            parameters.setProtocols(strings(list));
        }
        if (verifiesNames()) {
            parameters.setEndpointIdentificationAlgorithm(
                    text(SslConfigs.SSL_ENDPOINT_IDENTIFICATION_ALGORITHM_CONFIG));
        }
        socket.setSSLParameters(parameters);
        return socket;
    }

    private SSLContext context() throws GeneralSecurityException {
        String protocol = text(SslConfigs.SSL_PROTOCOL_CONFIG);
        String provider = (String) values.get(SslConfigs.SSL_PROVIDER_CONFIG);
        return provider == null
                ? SSLContext.getInstance(protocol)
                : SSLContext.getInstance(protocol, provider);
    }

    private X509ExtendedTrustManager trust() throws GeneralSecurityException {
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(text(SslConfigs.SSL_TRUSTMANAGER_ALGORITHM_CONFIG));
        factory.init(truststore);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("no trust manager for certificates");
    }

    private char[] keyPassword() {
        Password key = (Password) values.get(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
        Password store = (Password) values.get(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG);
        boolean pem = PEM.equals(values.get(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG));
        Password password = key != null || pem ? key : store;
        return password == null ? null : password.value().toCharArray();
    }

    private String text(String name) {
        return String.valueOf(values.get(name));
    }

    private static String[] strings(List<?> list) {
        return list.stream().map(String::valueOf).toArray(String[]::new);
    }
}
