package dev.streamconnect.record;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a client proves itself with to a customer's Kafka by SASL. */
public sealed interface SaslCredentials {

    /** The mechanism, never null. */
    SaslMechanism mechanism();

    /** The JAAS line with all values put in; quotes and backslashes in them are escaped. */
    Secret jaasConfig();

    /**
     * A user name and a password, for PLAIN and SCRAM.
     *
     * @param mechanism never null
     * @param username never null
     * @param password never null
     * @param jaasTemplate JAAS line with {@code ${username}} and {@code ${password}} inside of
     *     double quotes; the mechanism's own if empty
     */
    record User(
            SaslMechanism mechanism,
            String username,
            Secret password,
            Optional<Secret> jaasTemplate)
            implements SaslCredentials {

        public User {
            Objects.requireNonNull(mechanism, "mechanism");
            Objects.requireNonNull(username, "username");
            Objects.requireNonNull(password, "password");
            Objects.requireNonNull(jaasTemplate, "jaasTemplate");
        }

        @Override
        public Secret jaasConfig() {
            return JaasLine.of(
                    jaasTemplate.orElseGet(
                            () ->
                                    Secret.of(
                                            mechanism.loginModule()
                                                    + " required username=\"${username}\" password=\"${password}\";")),
                    Map.of("username", username, "password", password.reveal()));
        }
    }

    /**
     * A client of an OAuth 2 token endpoint, for OAUTHBEARER.
     *
     * @param tokenEndpointUrl where tokens are asked for, never null
     * @param clientId never null
     * @param clientSecret never null
     * @param scope asked for; the endpoint's default if empty
     * @param jaasTemplate JAAS line with {@code ${clientId}}, {@code ${clientSecret}} and {@code
     *     ${scope}} inside of double quotes; the mechanism's own if empty
     */
    record Client(
            String tokenEndpointUrl,
            String clientId,
            Secret clientSecret,
            Optional<String> scope,
            Optional<Secret> jaasTemplate)
            implements SaslCredentials {

        public Client {
            Objects.requireNonNull(tokenEndpointUrl, "tokenEndpointUrl");
            Objects.requireNonNull(clientId, "clientId");
            Objects.requireNonNull(clientSecret, "clientSecret");
            Objects.requireNonNull(scope, "scope");
            Objects.requireNonNull(jaasTemplate, "jaasTemplate");
        }

        @Override
        public SaslMechanism mechanism() {
            return SaslMechanism.OAUTHBEARER;
        }

        @Override
        public Secret jaasConfig() {
            return JaasLine.of(
                    jaasTemplate.orElseGet(
                            () ->
                                    Secret.of(
                                            mechanism().loginModule()
                                                    + " required clientId=\"${clientId}\" clientSecret=\"${clientSecret}\" scope=\"${scope}\";")),
                    Map.of(
                            "clientId", clientId,
                            "clientSecret", clientSecret.reveal(),
                            "scope", scope.orElse("")));
        }
    }
}
