package dev.streamconnect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The issuer of docs/certificates.md")
class DocumentedIssuerTest {

    private static final char[] PASSWORD = "a-secret".toCharArray();
    private static final Duration WEEK = Duration.ofDays(7);

    @TempDir Path folder;

    private CertificateAuthority authority;
    private HttpsServer server;
    private SSLContext tls;
    private volatile int status = 200;

    @BeforeEach
    void start() throws Exception {
        Instant now = Instant.now();
        authority =
                CertificateAuthority.create(
                        HermesSubject.authority("acme-ca", "acme"),
                        Validity.of(now, WEEK.multipliedBy(10)));
        tls = tls();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/est/enroll", this::enroll);
        server.createContext("/est/cacerts", this::authorities);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Of the server, and trusting it. */
    private SSLContext tls() throws Exception {
        KeyMaterial own =
                authority.issueServer(
                        HermesSubject.server("localhost", "acme"),
                        new ServerNames(List.of("localhost"), List.of("127.0.0.1")),
                        Validity.of(Instant.now(), WEEK));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry("server", own.key(), PASSWORD, own.chain().toArray(Certificate[]::new));
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("ca", authority.certificate());
        KeyManagerFactory keyManagers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        TrustManagerFactory trustManagers =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trust);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    private void enroll(HttpExchange exchange) throws IOException {
        try {
            byte[] request = exchange.getRequestBody().readAllBytes();
            boolean known =
                    "Bearer t0ken".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(
                    exchange,
                    known ? status : 403,
                    known && status == 200
                            ? authority.issueClient(request, Validity.of(Instant.now(), WEEK))
                            : List.of());
        } catch (GeneralSecurityException e) {
            answer(exchange, 400, List.of());
        }
    }

    private void authorities(HttpExchange exchange) throws IOException {
        answer(exchange, 200, List.of(authority.certificate()));
    }

    private static void answer(HttpExchange exchange, int status, List<X509Certificate> chain)
            throws IOException {
        ByteArrayOutputStream pem = new ByteArrayOutputStream();
        for (X509Certificate certificate : chain) {
            try {
                pem.write("-----BEGIN CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
                pem.write(Base64.getMimeEncoder().encode(certificate.getEncoded()));
                pem.write("\n-----END CERTIFICATE-----\n".getBytes(StandardCharsets.US_ASCII));
            } catch (GeneralSecurityException e) {
                throw new IOException(e);
            }
        }
        exchange.sendResponseHeaders(status, pem.size() == 0 ? -1 : pem.size());
        exchange.getResponseBody().write(pem.toByteArray());
        exchange.close();
    }

    private HttpsEnrolment issuer(String token) {
        return new HttpsEnrolment(
                HttpClient.newBuilder().sslContext(tls).build(),
                URI.create("https://localhost:" + server.getAddress().getPort() + "/est/"),
                token);
    }

    @Test
    @DisplayName("has stores made and renewed by an HTTPS endpoint, and says why not")
    void enrols() throws Exception {
        DevelopmentStores stores =
                DevelopmentStores.ensure(folder, issuer("t0ken"), "acme", "worker-1", PASSWORD);
        StoreFiles files =
                new StoreFiles(
                        stores.keyStore(),
                        new String(PASSWORD),
                        null,
                        stores.trustStore(),
                        new String(PASSWORD));
        X509Certificate first = files.ownCertificate();
        Clock later = Clock.offset(Clock.systemUTC(), Duration.ofDays(6));
        status = 503;
        assertThatThrownBy(() -> new CertificateRenewal(files, issuer("t0ken"), later).runOnce())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("503");
        assertThatThrownBy(() -> new CertificateRenewal(files, issuer("stale"), later).runOnce())
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("403");
        assertThat(files.ownCertificate()).isEqualTo(first);
        status = 200;
        // The certificates' dates are whole seconds.
        X509Certificate old = aged(files, first);
        assertThat(new CertificateRenewal(files, issuer("t0ken"), Clock.systemUTC()).runOnce())
                .isTrue();
        assertThat(files.ownCertificate().getNotAfter()).isAfter(old.getNotAfter());
        assertThat(files.trusted()).containsExactly(authority.certificate());
    }

    /** Puts one there of which less than a third is left. */
    private X509Certificate aged(StoreFiles files, X509Certificate present) throws Exception {
        Instant now = Instant.now();
        CertificateRequest request = CertificateRequest.renewing(present);
        KeyMaterial old =
                request.complete(
                        authority.issueClient(
                                request.pkcs10(),
                                new Validity(
                                        now.minus(Duration.ofDays(6)),
                                        now.plus(Duration.ofDays(1)))));
        files.write(old);
        return old.certificate();
    }

    @Test
    @DisplayName("is the one that is compiled and run here")
    void isTheSame() throws Exception {
        String docs = Files.readString(Path.of("../docs/certificates.md"));
        int start = docs.indexOf("```java\n") + "```java\n".length();
        String shown = docs.substring(start, docs.indexOf("```", start));
        String source =
                Files.readString(
                        Path.of("src/test/java/dev/streamconnect/certificate/HttpsEnrolment.java"));
        assertThat(shown.strip())
                .isEqualTo(source.substring(source.indexOf("/** Asks an enrolment")).strip());
    }
}
