package dev.streamconnect.cluster;

import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;

/** Whom a broker takes a client for, as far as the client can know. */
public final class ClientPrincipal {

    private ClientPrincipal() {}

    /**
     * The principal as ACLs name it. A broker may have rules of its own that map it to another.
     *
     * @return empty where it is not known: stores that the user gives as client properties, a token
     */
    public static Optional<String> of(ConnectionSettings settings) {
        Object given = settings.properties().get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        String protocol = given == null ? "PLAINTEXT" : String.valueOf(given).strip();
        if (protocol.startsWith("SASL")) {
            Object line = settings.properties().get(SaslConfigs.SASL_JAAS_CONFIG);
            return line == null
                    ? Optional.empty()
                    : JaasOptions.user(String.valueOf(line)).map(name -> "User:" + name);
        }
        if (protocol.equals("PLAINTEXT")) {
            return Optional.of("User:ANONYMOUS");
        }
        WatchedTls tls = settings.tls();
        return tls == null || tls.current().life() == null
                ? Optional.empty()
                : Optional.of("User:" + tls.current().life().subject());
    }
}
