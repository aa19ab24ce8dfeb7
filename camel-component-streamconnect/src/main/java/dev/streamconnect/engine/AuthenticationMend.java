package dev.streamconnect.engine;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;

/** Says which option to look at where a client or a broker is not taken; by class and cause. */
final class AuthenticationMend {

    private AuthenticationMend() {}

    /**
     * What to do, to stand behind the reason; empty if nothing is known.
     *
     * @param settings of the connection whose options are named
     */
    static String of(Throwable error, ConnectionSettings settings) {
        boolean records = settings.role() == ClientRole.CUSTOMER;
        if (find(error, SslAuthenticationException.class) != null) {
            return ofHandshake(error, records);
        }
        if (find(error, UnsupportedSaslMechanismException.class) != null) {
            return "; correct sasl.mechanism of the connection";
        }
        if (find(error, IllegalSaslStateException.class) != null) {
            return "; the port takes no SASL: leave sasl out of the connection, or correct the port";
        }
        if (find(error, SaslAuthenticationException.class) != null) {
            return "; correct " + settings.loginOptions() + " of the connection";
        }
        if (find(error, TopicAuthorizationException.class) != null) {
            return "; give the user of the connection DESCRIBE on it, and READ where it is the source,"
                    + " WRITE where it is the destination";
        }
        return find(error, AuthenticationException.class) == null
                ? ""
                : "; correct the credentials of the connection";
    }

    private static String ofHandshake(Throwable error, boolean records) {
        if (find(error, CertPathBuilderException.class) != null) {
            return "; put the authority of the broker's certificate into "
                    + (records ? "ssl.truststoreLocation of the connection" : "truststore");
        }
        if (find(error, CertPathValidatorException.class) != null) {
            return "; the broker's certificate does not hold: have a new one issued, or correct "
                    + (records ? "ssl.truststoreLocation of the connection" : "truststore");
        }
        if (find(error, CertificateException.class) != null) {
            return "; use the host name that the certificate has, or take any by "
                    + (records
                            ? "ssl.disableHostNameVerification of the connection"
                            : "hostnameVerification=false");
        }
        return "; give a certificate that the broker trusts by "
                + (records ? "ssl.keystoreLocation of the connection" : "keystore");
    }

    private static Throwable find(Throwable error, Class<? extends Throwable> type) {
        Throwable at = error;
        for (int depth = 0; at != null && depth < 20; depth++) {
            if (type.isInstance(at)) {
                return at;
            }
            at = at.getCause();
        }
        return null;
    }
}
