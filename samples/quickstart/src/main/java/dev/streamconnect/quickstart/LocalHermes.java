package dev.streamconnect.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** The sandbox in a process of its own: a local Hermes, and a local Kafka. */
final class LocalHermes implements AutoCloseable {

    private static final long START_SECONDS = 120;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int CONTROL_DISTANCE = 900;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ChildProcess process;
    private final JsonNode description;
    private final String password;

    private LocalHermes(ChildProcess process, Path files) throws IOException {
        this.process = process;
        this.description = json.readTree(files.resolve("sandbox.json").toFile());
        this.password = Files.readString(files.resolve("password")).strip();
    }

    /**
     * Starts it; returns when clients can connect.
     *
     * @throws QuickstartException if it cannot start, such as for a port in use
     */
    static LocalHermes start(Options options, Path files) {
        if (Files.notExists(options.sandboxHome().resolve("lib"))) {
            throw new QuickstartException(
                    "there is no sandbox in %s; start with mvn -Pquickstart from the root"
                            .formatted(options.sandboxHome()));
        }
        CompletableFuture<Void> ready = new CompletableFuture<>();
        StringBuffer last = new StringBuffer();
        ChildProcess process =
                ChildProcess.start(
                        options.home(),
                        Map.of(),
                        arguments(options, files),
                        line -> {
                            last.setLength(0);
                            last.append(line);
                            if (line.equals("sandbox: ready")) {
                                ready.complete(null);
                            }
                        });
        process.onEnd(() -> ready.completeExceptionally(new IllegalStateException("ended")));
        try {
            ready.get(START_SECONDS, TimeUnit.SECONDS);
            return new LocalHermes(process, files);
        } catch (ExecutionException | TimeoutException | IOException e) {
            process.close();
            throw new QuickstartException(inOurOptions(last.toString()));
        } catch (InterruptedException e) {
            process.close();
            Thread.currentThread().interrupt();
            throw new QuickstartException("interrupted while the local Hermes started");
        }
    }

    private static List<String> arguments(Options options, Path files) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                ChildProcess.libraries(options.sandboxHome()),
                                "dev.streamconnect.sandbox.HermesSandbox",
                                "--stop-on-eof",
                                "--dir",
                                files.toString()));
        if (options.freePorts()) {
            arguments.add("--free-ports");
        } else {
            arguments.addAll(List.of("--base-port", String.valueOf(options.basePort())));
            arguments.addAll(List.of("--local-port", String.valueOf(options.localPort())));
            arguments.addAll(
                    List.of(
                            "--control-port",
                            String.valueOf(options.basePort() + CONTROL_DISTANCE)));
        }
        return arguments;
    }

    /** The sandbox names its own options; the user has those of the quickstart. */
    static String inOurOptions(String line) {
        return line.replaceFirst("^sandbox: ", "")
                .replace("--base-port", "-Dquickstart.basePort=PORT")
                .replace("--local-port", "-Dquickstart.localPort=PORT")
                .replace("--control-port", "-Dquickstart.basePort=PORT")
                .replace("--free-ports", "-Dquickstart.freePorts=true");
    }

    /** Bootstrap servers of the local Kafka. */
    String local() {
        return description.get("localBootstrap").asText();
    }

    /** Plain text bootstrap servers of cluster A, B or LOCAL, past gateway and certificates. */
    String internal(String cluster) {
        return description.get("clusters").get(cluster).get("internalBootstrap").asText();
    }

    /** What the replicator's application.properties leave open. */
    List<String> properties() {
        return List.of(
                "-Dlocal.bootstrap=" + local(),
                "-Dhermes.files=" + description.get("folder").asText(),
                "-Dhermes.portBase=" + description.get("basePort").asText(),
                "-Dhermes.producers=" + description.get("producerBootstrap").asText(),
                "-Dhermes.consumersA=" + description.get("consumerABootstrap").asText());
    }

    /**
     * What a client of the producer ports needs. Idempotence is off: A and B hand out the same
     * producer ids, so that after a fail-over new batches would be taken for repeats.
     */
    Map<String, Object> producerProperties() {
        Path folder = Path.of(description.get("folder").asText());
        return Map.of(
                "bootstrap.servers",
                description.get("producerBootstrap").asText(),
                "security.protocol",
                "SSL",
                "ssl.keystore.type",
                "PKCS12",
                "ssl.keystore.location",
                folder.resolve("keystore.p12").toString(),
                "ssl.keystore.password",
                password,
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.location",
                folder.resolve("truststore.p12").toString(),
                "ssl.truststore.password",
                password,
                "enable.idempotence",
                "false",
                "max.in.flight.requests.per.connection",
                "1");
    }

    /** The password of the stores. */
    String password() {
        return password;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Makes all topics but those of Hermes that come later. */
    void createTopics() {
        for (Flow flow : Flow.ALL) {
            post(
                    "/topics/create",
                    Map.of(
                            "name",
                            flow.name(),
                            "sides",
                            "LOCAL",
                            "partitions",
                            String.valueOf(flow.partitions()),
                            "config",
                            "max.message.bytes=4000000"));
            if (flow.kind() != Flow.Kind.LATE) {
                createHermesTopic(flow);
            }
        }
    }

    void createHermesTopic(Flow flow) {
        post(
                "/topics/create",
                Map.of(
                        "name", flow.hermesTopic(),
                        "partitions", String.valueOf(flow.partitions()),
                        "config", flow.config()));
    }

    /** Gives the topic of Hermes other settings, {@code name=value}. */
    void configureHermesTopic(Flow flow, String config) {
        post("/topics/config", Map.of("name", flow.hermesTopic(), "config", config));
    }

    /** The producer ports move to the other side. Returns the side that is near now. */
    String failOver() {
        return post("/failover", Map.of()).get("near").asText();
    }

    private JsonNode post(String path, Map<String, String> parameters) {
        String query =
                parameters.entrySet().stream()
                        .map(
                                entry ->
                                        entry.getKey()
                                                + "="
                                                + URLEncoder.encode(
                                                        entry.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
        try {
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    description.get("control").asText()
                                                            + path
                                                            + "?"
                                                            + query))
                                    .timeout(LIMIT)
                                    .POST(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new QuickstartException(
                        "the local Hermes refuses " + path + ": " + answer.body().strip());
            }
            return json.readTree(answer.body());
        } catch (IOException e) {
            throw new QuickstartException("the local Hermes does not answer: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuickstartException("interrupted");
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
