package dev.streamconnect.preflight;

import dev.streamconnect.cluster.BrokerPing;
import dev.streamconnect.cluster.HostPort;
import dev.streamconnect.cluster.TlsOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;

/** Looks at one address, from the connection to the broker's release. For one use. */
final class AddressCheck {

    private static final int MOST_TRIES = 3;

    private static final Verdict NO_TLS =
            Verdict.fail(
                    "the port does not speak TLS",
                    "take ssl out of the connection, or correct the port");

    private final HostPort address;
    private final PreflightTarget target;
    private final ClientTls tls;
    private final Limits limits;
    private final Clock clock;
    private final Findings findings;
    private final ShownCertificate shown = new ShownCertificate();
    private Socket socket;
    private ApiVersions versions;
    private ClusterMetadata metadata;
    private Verdict ofHandshake;

    /**
     * @param tls null for a connection without TLS, or whose stores cannot be used
     */
    AddressCheck(
            HostPort address, PreflightTarget target, ClientTls tls, Limits limits, Clock clock) {
        this.address = address;
        this.target = target;
        this.tls = tls;
        this.limits = limits;
        this.clock = clock;
        this.findings = new Findings(target);
    }

    /**
     * Looks.
     *
     * @param resolved addresses of the host; empty skips all
     * @param beforeTls why TLS and what follows is not looked at; null to look
     * @param beforeLogin why the broker is not asked; null to ask it
     * @return true if a broker answered
     */
    boolean look(List<InetAddress> resolved, String beforeTls, String beforeLogin) {
        try {
            Chain chain =
                    new Chain(
                            findings,
                            address.toString(),
                            resolved.isEmpty() ? Stage.DNS.label() + " failed" : null);
            chain.then(Stage.TCP, () -> connect(resolved));
            if (target.isTls()) {
                chain.skip(beforeTls)
                        .then(Stage.TLS, this::handshake)
                        .then(Stage.SERVER_CERTIFICATE, this::serverCertificate);
            }
            chain.skip(beforeLogin)
                    .then(Stage.AUTHENTICATION, this::ask)
                    .then(Stage.VERSION, this::release);
            return chain.passed();
        } finally {
            close();
        }
    }

    /** What the broker tells of its cluster; null where it tells nothing before a user is known. */
    ClusterMetadata metadata() {
        return metadata;
    }

    /** False if the broker ends the connection, as one does that wants to know a user first. */
    private boolean askForCluster() {
        try {
            metadata = ClusterMetadata.ask(socket);
            return true;
        } catch (EOFException | SocketException e) {
            return false;
        } catch (IOException e) {
            // Then a Kafka client asks.
            return true;
        }
    }

    /** What was found. */
    Findings findings() {
        return findings;
    }

    private Verdict connect(List<InetAddress> resolved) {
        Verdict last = null;
        for (InetAddress one : resolved.subList(0, Math.min(MOST_TRIES, resolved.size()))) {
            long began = System.nanoTime();
            socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(one, address.port()), limits.connectMillis());
                socket.setSoTimeout(limits.answerMillis());
                return Verdict.ok("connected in " + millisSince(began));
            } catch (IOException e) {
                close();
                last = notConnected(e);
            }
        }
        return last;
    }

    private Verdict notConnected(IOException e) {
        if (e instanceof SocketTimeoutException) {
            return Verdict.fail(
                    "no answer to a connection within " + limits.connect().toSeconds() + " s",
                    "open the port in the firewalls between here and there");
        }
        if (e instanceof NoRouteToHostException) {
            return Verdict.fail("no route to the host", "look at the network of this machine");
        }
        if (e instanceof ConnectException) {
            return Verdict.fail(
                    "connection refused",
                    "start what listens there, correct the port, or open it in the firewall");
        }
        return Verdict.fail(
                "no connection: " + e.getClass().getSimpleName(),
                "look at the network between here and there");
    }

    private Verdict handshake() {
        long began = System.nanoTime();
        try {
            SSLSocket secured = tls.over(socket, address.host(), address.port(), shown);
            socket = secured;
            secured.startHandshake();
            return Verdict.ok(secured.getSession().getProtocol() + " in " + millisSince(began));
        } catch (SocketTimeoutException e) {
            return Verdict.fail(
                    "no answer to the handshake within " + limits.answer().toSeconds() + " s",
                    "look at what is between here and there: a gateway or firewall swallows TLS");
        } catch (IOException e) {
            if (shown.isThere()) {
                // TLS is spoken: the broker did not like what this side showed.
                ofHandshake = refused(e);
                return Verdict.ok("the broker shows its certificate");
            }
            return noHandshake(e);
        } catch (GeneralSecurityException e) {
            return Verdict.fail(
                    "this Java cannot do it: " + e.getClass().getSimpleName(),
                    "look at ssl.protocol, ssl.provider and the stores of the connection");
        }
    }

    private Verdict noHandshake(IOException e) {
        if (BrokerPing.answersWithoutTls(address)) {
            return NO_TLS;
        }
        if (e instanceof SSLHandshakeException) {
            return Verdict.fail(
                    "the broker ends the handshake",
                    "agree on TLS versions and cipher suites; TLSv1.2 or TLSv1.3 is wanted");
        }
        if (e instanceof SSLException) {
            return NO_TLS;
        }
        return Verdict.fail(
                "the connection ends in the handshake",
                "look at what is between here and there, and at the port");
    }

    private Verdict serverCertificate() {
        return shown.isThere()
                ? shown.verdict(address.host(), tls, target.settings().role(), clock.instant())
                : Verdict.fail("none is shown", "correct the port: no broker is without one");
    }

    private Verdict ask() {
        if (ofHandshake != null) {
            return ofHandshake;
        }
        long began = System.nanoTime();
        try {
            versions = ApiVersions.ask(socket);
            String took = millisSince(began);
            // A broker that is too old ends the connection at a question that it does not know.
            if (!target.isSasl()
                    && !release().failed()
                    && !askForCluster()
                    && target.hermes() == null) {
                return Verdict.fail(
                        "the broker ends the connection at the second question, as one that wants a user or a token",
                        "give the connection sasl, or correct the port");
            }
            return Verdict.ok((target.isTls() ? "accepted" : "answered") + " in " + took);
        } catch (SocketTimeoutException e) {
            return Verdict.fail(
                    "no answer within " + limits.answer().toSeconds() + " s",
                    "look at the broker, and at what is between here and there");
        } catch (Question.NoBrokerException e) {
            return e.isTls()
                    ? Verdict.fail(
                            "the port speaks TLS, and the connection does not",
                            "configure ssl in the connection, or correct the port")
                    : Verdict.fail("no Kafka broker answers", "correct the port");
        } catch (IOException e) {
            return refused(e);
        }
    }

    /** After the server's certificate: TLS 1.3 tells a client's fault at the first answer only. */
    private Verdict refused(IOException e) {
        if (target.isTls() && tls.ownCertificate() == null) {
            return Verdict.fail(
                    e instanceof SSLException
                            ? "the broker wants a client certificate and none is given"
                            : "the broker ends the connection, as one that wants a client certificate, and none is given",
                    "give one by "
                            + TlsOptions.keystoreOptions(target.settings().role())
                            + ", or look at the broker's log");
        }
        if (e instanceof SSLException) {
            return Verdict.fail(
                    "the broker refuses the client certificate",
                    "have a certificate issued by the authority that this cluster trusts");
        }
        if (target.isTls()) {
            return Verdict.fail(
                    "the broker ends the connection, as one that refuses the client certificate",
                    "have a certificate issued by the authority that this cluster trusts, or look at the broker's log");
        }
        return e instanceof EOFException
                ? Verdict.fail(
                        "the connection ends without an answer: no Kafka broker, or one older than 0.10",
                        "correct the port, or upgrade the broker to Kafka 2.3 or newer")
                : Verdict.fail("the broker ends the connection", "look at the broker's log");
    }

    private Verdict release() {
        return BrokerRelease.of(versions).verdict(!target.groups().isEmpty());
    }

    private static String millisSince(long began) {
        return (System.nanoTime() - began) / 1_000_000 + " ms";
    }

    private void close() {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // it is given up anyway
        }
    }
}
