package dev.streamconnect.certificate;

import dev.streamconnect.spi.CertificateIssuer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/** Asks an enrolment endpoint: the request goes there as DER, certificates come back as PEM. */
public class HttpsEnrolment implements CertificateIssuer {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final HttpClient client;
    private final URI endpoint;
    private final String token;

    public HttpsEnrolment(HttpClient client, URI endpoint, String token) {
        this.client = client;
        this.endpoint = endpoint;
        this.token = token;
    }

    @Override
    public List<X509Certificate> issue(byte[] pkcs10) throws IOException, GeneralSecurityException {
        return certificates(
                request("enroll")
                        .header("Content-Type", "application/pkcs10")
                        .POST(BodyPublishers.ofByteArray(pkcs10))
                        .build());
    }

    @Override
    public List<X509Certificate> trustAnchors() throws IOException {
        try {
            return certificates(request("cacerts").GET().build());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(endpoint.resolve(path))
                .timeout(LIMIT)
                .header("Authorization", "Bearer " + token);
    }

    private List<X509Certificate> certificates(HttpRequest request)
            throws IOException, GeneralSecurityException {
        HttpResponse<byte[]> answer;
        try {
            answer = client.send(request, BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (answer.statusCode() / 100 == 4) {
            throw new GeneralSecurityException(endpoint + " refuses: " + answer.statusCode());
        }
        if (answer.statusCode() != 200) {
            throw new IOException(endpoint + " answers " + answer.statusCode());
        }
        return CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(answer.body()))
                .stream()
                .map(X509Certificate.class::cast)
                .toList();
    }
}
