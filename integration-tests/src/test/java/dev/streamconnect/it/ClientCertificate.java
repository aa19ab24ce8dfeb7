package dev.streamconnect.it;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The files of one client certificate. */
public record ClientCertificate(Path folder, String password) {

    public Path keyStore() {
        return folder.resolve("keystore.p12");
    }

    public Path trustStore() {
        return folder.resolve("truststore.p12");
    }

    /** Settings of a Kafka client that uses it, without bootstrap servers. */
    public Map<String, Object> clientProperties() {
        Map<String, Object> properties = new HashMap<>(trustOnly());
        properties.put("ssl.keystore.type", "PKCS12");
        properties.put("ssl.keystore.location", keyStore().toString());
        properties.put("ssl.keystore.password", password);
        properties.put("ssl.key.password", password);
        return properties;
    }

    /** Settings of a client that trusts the brokers and shows no certificate. */
    public Map<String, Object> trustOnly() {
        return Map.of(
                "security.protocol",
                "SSL",
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.location",
                trustStore().toString(),
                "ssl.truststore.password",
                password);
    }

    @Override
    public String toString() {
        return "ClientCertificate[" + folder + "]";
    }
}
