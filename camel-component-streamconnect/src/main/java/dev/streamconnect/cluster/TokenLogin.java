package dev.streamconnect.cluster;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSocketFactory;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.SaslExtensions;
import org.apache.kafka.common.security.auth.SaslExtensionsCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * Gets the tokens of OAUTHBEARER from a token endpoint. Kafka makes it, one for all clients with
 * the same settings, and calls it when the first of them is built and again before a token ends;
 * public for that reason only.
 *
 * <p>In place of Kafka's own class, which loses the cause of a failure, writes stack traces, and
 * waits without a limit (decision 021). It takes the same options of the JAAS line: {@code
 * clientId}, {@code clientSecret}, {@code scope}, {@code extension_...}.
 */
public final class TokenLogin implements AuthenticateCallbackHandler {

    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 3_000;
    private static final String EXTENSION = "extension_";

    /** As Kafka's own class has it: where it is set, other addresses are refused. */
    private static final String ALLOWED = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

    /** Kafka keeps no cause; a client is built by the thread that logs in. */
    private static final ThreadLocal<TokenException> FAILURE = new ThreadLocal<>();

    private Map<String, ?> options = Map.of();
    private TokenEndpoint endpoint;

    /** For Kafka. */
    public TokenLogin() {}

    /** What went wrong since the last call on this thread; null for nothing. */
    static TokenException takeFailure() {
        TokenException failure = FAILURE.get();
        FAILURE.remove();
        return failure;
    }

    @Override
    public void configure(
            Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {
        options = entries.get(0).getOptions();
        URI url =
                URI.create(
                        String.valueOf(
                                configs.get(SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL)));
        endpoint =
                new TokenEndpoint(
                        url,
                        option("clientId"),
                        option("clientSecret"),
                        option("scope"),
                        millis(configs, SaslConfigs.SASL_LOGIN_CONNECT_TIMEOUT_MS, CONNECT_MILLIS),
                        millis(configs, SaslConfigs.SASL_LOGIN_READ_TIMEOUT_MS, READ_MILLIS),
                        "https".equalsIgnoreCase(url.getScheme()) ? tls(configs) : null);
    }

    @Override
    public void handle(Callback[] callbacks) throws UnsupportedCallbackException {
        for (Callback callback : callbacks) {
            if (callback instanceof OAuthBearerTokenCallback token) {
                give(token);
            } else if (callback instanceof SaslExtensionsCallback extensions) {
                extensions.extensions(new SaslExtensions(extensions()));
            } else {
                throw new UnsupportedCallbackException(callback);
            }
        }
    }

    private void give(OAuthBearerTokenCallback callback) {
        try {
            refuseOtherAddresses();
            callback.token(endpoint.ask(Clock.systemUTC()));
        } catch (TokenException e) {
            FAILURE.set(e);
            callback.error("no_token", e.getMessage(), null);
        }
    }

    private void refuseOtherAddresses() {
        String allowed = System.getProperty(ALLOWED);
        if (allowed != null
                && Arrays.stream(allowed.split(","))
                        .map(String::strip)
                        .noneMatch(endpoint.url().toString()::equals)) {
            throw TokenException.refused(
                    "sasl.tokenEndpointUrl: is not among the addresses of the system property "
                            + ALLOWED
                            + "; add it there");
        }
    }

    private Map<String, String> extensions() {
        Map<String, String> extensions = new HashMap<>();
        options.forEach(
                (name, value) -> {
                    if (name.startsWith(EXTENSION)) {
                        extensions.put(name.substring(EXTENSION.length()), String.valueOf(value));
                    }
                });
        return extensions;
    }

    private String option(String name) {
        Object value = options.get(name);
        return value == null ? "" : String.valueOf(value);
    }

    private static int millis(Map<String, ?> configs, String name, int otherwise) {
        return configs.get(name) instanceof Number given ? given.intValue() : otherwise;
    }

    /** Trusts what Java trusts, and the truststore of the connection. */
    private static SSLSocketFactory tls(Map<String, ?> configs) {
        try (DefaultSslEngineFactory stores = new DefaultSslEngineFactory()) {
            stores.configure(configs);
            if (stores.truststore() == null) {
                return null;
            }
            return TrustedAuthorities.with(stores.truststore()).getSocketFactory();
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new KafkaException("the truststore can't be used for the token endpoint", e);
        }
    }

    @Override
    public void close() {
        // nothing is kept open
    }
}
