package dev.streamconnect.servicenow;

import dev.streamconnect.record.Secret;

/**
 * Who reads the instance. With a client it is OAuth: the password grant where there is a user, the
 * client credentials grant where there is none. Without a client it is basic authentication.
 *
 * @param user null for none
 * @param password null for none
 * @param clientId null for no OAuth
 * @param clientSecret null for none
 */
public record Credentials(String user, Secret password, String clientId, Secret clientSecret) {

    /**
     * @throws IllegalArgumentException one line with the option that is missing
     */
    public Credentials {
        if (user == null && clientId == null) {
            throw new IllegalArgumentException(
                    "serviceNowUser: is missing; give user and password, or serviceNowClientId for OAuth");
        }
        if (user != null && password == null) {
            throw new IllegalArgumentException(
                    "serviceNowPassword: is missing; serviceNowUser has none");
        }
        if (clientId != null && clientSecret == null) {
            throw new IllegalArgumentException(
                    "serviceNowClientSecret: is missing; serviceNowClientId has none");
        }
    }

    boolean isOAuth() {
        return clientId != null;
    }
}
