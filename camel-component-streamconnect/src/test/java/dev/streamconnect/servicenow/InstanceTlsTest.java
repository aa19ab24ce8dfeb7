package dev.streamconnect.servicenow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.streamconnect.certificate.CertificateAuthority;
import dev.streamconnect.certificate.HermesSubject;
import dev.streamconnect.certificate.KeyStores;
import dev.streamconnect.certificate.Validity;
import dev.streamconnect.cluster.TlsStore;
import dev.streamconnect.cluster.TrustedAuthorities;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("An instance by HTTPS, with a certificate of a private authority,")
class InstanceTlsTest {

    private static final char[] PASSWORD = "store-word".toCharArray();

    @TempDir Path folder;

    private final Validity validity = Validity.of(Instant.now(), Duration.ofDays(1));

    @Test
    @DisplayName("is read with its truststore; else one line names the option")
    void trusted() throws Exception {
        CertificateAuthority own = authority("own.p12");
        authority("other.p12");
        try (TableApiServer server = TableApiServer.https(own, "localhost").plant()) {
            server.topic("t0");
            assertThat(store(server, truststore("own.p12")).newer(null)).isPresent();
            for (SSLContext tls : new SSLContext[] {null, truststore("other.p12")}) {
                RecordsException e =
                        catchThrowableOfType(
                                RecordsException.class, () -> store(server, tls).newer(null));
                assertThat(e.faults()).hasSize(1);
                assertThat(e.faults().get(0).toString())
                        .contains("localhost", "serviceNowTruststore")
                        .doesNotContain("\n");
            }
        }
    }

    @Test
    @DisplayName("is not read under another name than that of its certificate")
    void otherName() throws Exception {
        CertificateAuthority own = authority("own.p12");
        try (TableApiServer server = TableApiServer.https(own, "elsewhere").plant()) {
            server.topic("t0");
            assertThatThrownBy(() -> store(server, truststore("own.p12")).newer(null))
                    .isInstanceOf(RecordsException.class);
        }
    }

    @Test
    @DisplayName("is not asked with a truststore that can't be opened; one line names the option")
    void wrongPassword() throws Exception {
        authority("own.p12");
        assertThatThrownBy(
                        () ->
                                TrustedAuthorities.with(
                                        TlsStore.file(
                                                "serviceNowTruststore",
                                                "serviceNowTruststorePassword",
                                                folder.resolve("own.p12").toString(),
                                                "wrong")))
                .hasMessageStartingWith("serviceNowTruststorePassword: does not open ");
    }

    private CertificateAuthority authority(String truststore) throws Exception {
        CertificateAuthority authority =
                CertificateAuthority.create(HermesSubject.client("private", "acme"), validity);
        KeyStores.writeTrustStore(
                folder.resolve(truststore), List.of(authority.certificate()), PASSWORD);
        return authority;
    }

    private SSLContext truststore(String name) {
        return TrustedAuthorities.with(
                TlsStore.file(
                        "serviceNowTruststore",
                        "serviceNowTruststorePassword",
                        folder.resolve(name).toString(),
                        String.valueOf(PASSWORD)));
    }

    private static InstanceRecordStore store(TableApiServer server, SSLContext tls) {
        return new InstanceRecordStore(
                new InstanceOptions(
                        server.url(),
                        new Credentials(
                                TableApiServer.USER,
                                Secret.of(TableApiServer.PASSWORD),
                                null,
                                null),
                        null,
                        null,
                        Duration.ZERO,
                        Duration.ofSeconds(20),
                        tls),
                text -> null,
                Optional.empty());
    }
}
