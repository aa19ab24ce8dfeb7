package dev.streamconnect.cluster;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SslEngineFactory;

/**
 * Gives each new connection of a Kafka client the TLS material that is in effect then, from memory.
 * New material gets a context of its own, so that no TLS session of an older certificate is
 * resumed. Kafka makes it; public for that reason only.
 */
public final class WatchedSslEngines implements SslEngineFactory {

    private WatchedTls tls;
    private Map<String, ?> configs;
    private volatile Made made;

    /** A context and what it was made of. */
    private record Made(TlsMaterial material, SSLContext context) {}

    /** Lets a client take its stores from here. */
    static void into(Map<String, Object> config) {
        if (config.get(WatchedTls.PROPERTY) instanceof WatchedTls) {
            config.keySet().removeIf(WatchedSslEngines::isStore);
            config.put(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, WatchedSslEngines.class);
        }
    }

    /** Whether a client property says where keys and trust come from. */
    static boolean isOwnStore(String name) {
        return isStore(name)
                || name.equals(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG)
                || name.equals("security.providers");
    }

    private static boolean isStore(String name) {
        return name.startsWith("ssl.keystore.")
                || name.startsWith("ssl.truststore.")
                || name.equals(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
    }

    @Override
    public void configure(Map<String, ?> clientConfigs) {
        configs = clientConfigs;
        tls = (WatchedTls) clientConfigs.get(WatchedTls.PROPERTY);
        // Here a mistake in the options is still one of the construction.
        context();
    }

    @Override
    public SSLEngine createClientSslEngine(String host, int port, String endpointIdentification) {
        SSLEngine engine = context().createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        String[] ciphers = list(SslConfigs.SSL_CIPHER_SUITES_CONFIG);
        if (ciphers.length > 0) {
            parameters.setCipherSuites(ciphers);
        }
        String[] protocols = list(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG);
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        parameters.setEndpointIdentificationAlgorithm(endpointIdentification);
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public SSLEngine createServerSslEngine(String host, int port) {
        throw new UnsupportedOperationException("for clients only");
    }

    @Override
    public boolean shouldBeRebuilt(Map<String, Object> next) {
        return false;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    @Override
    public KeyStore keystore() {
        return tls.current().keystore();
    }

    @Override
    public KeyStore truststore() {
        return tls.current().truststore();
    }

    @Override
    public void close() {
        made = null;
    }

    private SSLContext context() {
        TlsMaterial material = tls.current();
        Made last = made;
        if (last == null || last.material() != material) {
            last = new Made(material, context(material));
            made = last;
        }
        return last.context();
    }

    private SSLContext context(TlsMaterial material) {
        try {
            String provider = (String) configs.get(SslConfigs.SSL_PROVIDER_CONFIG);
            String protocol = (String) configs.get(SslConfigs.SSL_PROTOCOL_CONFIG);
            SSLContext context =
                    provider == null
                            ? SSLContext.getInstance(protocol)
                            : SSLContext.getInstance(protocol, provider);
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(
                            (String) configs.get(SslConfigs.SSL_TRUSTMANAGER_ALGORITHM_CONFIG));
            trust.init(material.truststore());
            context.init(keys(material), trust.getTrustManagers(), random());
            return context;
        } catch (GeneralSecurityException e) {
            throw new KafkaException("the TLS options can't be used: " + e.getMessage(), e);
        }
    }

    private KeyManager[] keys(TlsMaterial material) throws GeneralSecurityException {
        if (material.keystore() == null) {
            return null;
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(
                        (String) configs.get(SslConfigs.SSL_KEYMANAGER_ALGORITHM_CONFIG));
        keys.init(material.keystore(), material.keyPassword());
        return keys.getKeyManagers();
    }

    private SecureRandom random() throws GeneralSecurityException {
        String name = (String) configs.get(SslConfigs.SSL_SECURE_RANDOM_IMPLEMENTATION_CONFIG);
        return name == null ? null : SecureRandom.getInstance(name);
    }

    private String[] list(String name) {
        return configs.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toArray(String[]::new)
                : new String[0];
    }
}
