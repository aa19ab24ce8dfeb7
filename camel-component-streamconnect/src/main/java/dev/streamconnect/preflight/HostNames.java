package dev.streamconnect.preflight;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.InstanceMatch;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** Asks the name server for each host of a target once. One thread at a time. */
final class HostNames {

    private final Findings findings;
    private final HermesRules hermes;
    private final ClientRole role;
    private final ExecutorService threads;
    private final Duration limit;
    private final Map<String, List<InetAddress>> known = new HashMap<>();

    HostNames(PreflightTarget target, Findings findings, ExecutorService threads, Duration limit) {
        this.hermes = target.hermes();
        this.role = target.settings().role();
        this.findings = findings;
        this.threads = threads;
        this.limit = limit;
    }

    /** Its addresses; empty where the look failed. */
    List<InetAddress> addresses(String host) {
        return known.computeIfAbsent(host, this::resolve);
    }

    private List<InetAddress> resolve(String host) {
        Future<InetAddress[]> asked = threads.submit(() -> InetAddress.getAllByName(host));
        try {
            List<InetAddress> found =
                    Arrays.asList(asked.get(limit.toMillis(), TimeUnit.MILLISECONDS));
            findings.add(host, Stage.DNS, verdict(host, found));
            return found;
        } catch (ExecutionException e) {
            findings.add(
                    host,
                    Stage.DNS,
                    e.getCause() instanceof UnknownHostException
                            ? Verdict.fail("the host name is unknown", unknown())
                            : Verdict.fail(
                                    "the name cannot be looked up: "
                                            + e.getCause().getClass().getSimpleName(),
                                    "look at the name server of this machine"));
        } catch (TimeoutException e) {
            asked.cancel(true);
            findings.add(
                    host,
                    Stage.DNS,
                    Verdict.fail(
                            "the name server does not answer within " + limit.toSeconds() + " s",
                            "look at the name server of this machine"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            findings.add(host, Stage.DNS, Verdict.skipped("interrupted"));
        }
        return List.of();
    }

    private Verdict verdict(String host, List<InetAddress> found) {
        String addresses =
                found.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        List<String> others =
                hermes == null
                        ? List.of()
                        : new InstanceMatch(hermes.instance()).check(null, host, null);
        if (others.isEmpty()) {
            return Verdict.ok(addresses);
        }
        String mend = "correct the instance or the host";
        return hermes.otherInstanceAllowed()
                ? Verdict.warn(others.get(0), mend)
                : Verdict.fail(others.get(0), mend);
    }

    private String unknown() {
        return role == ClientRole.CUSTOMER
                ? "correct bootstrapServers of the connection, or enter the name at the name server"
                : "correct instance, domain or the bootstrap servers, or enter the name at the name server";
    }
}
