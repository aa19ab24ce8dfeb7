package dev.streamconnect.servicenow;

import java.io.IOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/**
 * HTTP calls to one host, each with one limit for all of it, body included, and a bounded body.
 * Redirects are never followed, so that credentials stay with that host. The session that the host
 * gives is kept until something fails. Thread-safe.
 */
final class HttpCalls {

    /** Largest body that is read, in bytes. */
    static final int MAX_BODY = 4 * 1024 * 1024;

    private final CookieManager cookies =
            new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
    private final HttpClient client;
    private final Duration limit;

    /**
     * An answer, whatever its status.
     *
     * @param body all of it
     */
    record Answer(int status, HttpHeaders headers, byte[] body) {

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    /**
     * @param tls null for Java's own
     * @param limit for each call
     */
    HttpCalls(SSLContext tls, Duration limit) {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .cookieHandler(cookies)
                        .connectTimeout(limit);
        if (tls != null) {
            builder.sslContext(tls);
        }
        this.client = builder.build();
        this.limit = limit;
    }

    /**
     * @throws InstanceException if there is no whole answer in time
     */
    Answer send(HttpRequest.Builder request) throws InstanceException, InterruptedException {
        HttpRequest made = request.timeout(limit).build();
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<HttpResponse<byte[]>> pending =
                client.sendAsync(
                        made,
                        info -> {
                            begun.set(true);
                            return new BoundedBody(MAX_BODY);
                        });
        try {
            HttpResponse<byte[]> answer = pending.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() >= 400) {
                forgetSession();
            }
            return new Answer(answer.statusCode(), answer.headers(), answer.body());
        } catch (TimeoutException e) {
            pending.cancel(true);
            forgetSession();
            throw late(made.uri());
        } catch (InterruptedException e) {
            pending.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            forgetSession();
            throw failed(made.uri(), e.getCause(), begun.get());
        }
    }

    private InstanceException late(URI uri) {
        return InstanceException.unreachable(
                where(uri), "does not answer within " + limit.toMillis() + " ms", null);
    }

    /**
     * @param begun true if the head of an answer came
     */
    private InstanceException failed(URI uri, Throwable cause, boolean begun) {
        for (Throwable at = cause; at != null; at = at.getCause()) {
            if (at instanceof HttpTimeoutException) {
                return late(uri);
            }
            if (at instanceof TooLarge) {
                return InstanceException.answer(
                        where(uri), "answers more than " + MAX_BODY + " bytes");
            }
            if (at instanceof SSLException) {
                // The text of a failed handshake names certificates, nothing secret.
                return InstanceException.unreachable(
                        where(uri),
                        "takes part in no TLS ("
                                + at.getClass().getSimpleName()
                                + "); if its certificate is of an authority that this Java does not"
                                + " know, give that by serviceNowTruststore",
                        null);
            }
        }
        if (begun) {
            return InstanceException.answer(
                    where(uri),
                    "ends its answer in the middle (" + cause.getClass().getSimpleName() + ")");
        }
        return InstanceException.unreachable(
                where(uri), "can't be reached (" + cause.getClass().getSimpleName() + ")", null);
    }

    private static String where(URI uri) {
        return uri.getRawAuthority() + uri.getRawPath().replaceFirst("^/api/now/table", "");
    }

    private void forgetSession() {
        cookies.getCookieStore().removeAll();
    }

    private static final class TooLarge extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** Collects a body up to a size. */
    private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

        private final HttpResponse.BodySubscriber<byte[]> whole =
                HttpResponse.BodySubscribers.ofByteArray();
        private final CompletableFuture<byte[]> body = new CompletableFuture<>();
        private final int most;
        private Flow.Subscription subscription;
        private long size;

        private BoundedBody(int most) {
            this.most = most;
            whole.getBody()
                    .whenComplete(
                            (bytes, failure) -> {
                                if (failure == null) {
                                    body.complete(bytes);
                                } else {
                                    body.completeExceptionally(failure);
                                }
                            });
        }

        @Override
        public CompletionStage<byte[]> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            whole.onSubscribe(given);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                size += part.remaining();
            }
            if (size > most) {
                subscription.cancel();
                body.completeExceptionally(new TooLarge());
            } else {
                whole.onNext(parts);
            }
        }

        @Override
        public void onError(Throwable failure) {
            whole.onError(failure);
        }

        @Override
        public void onComplete() {
            whole.onComplete();
        }
    }
}
