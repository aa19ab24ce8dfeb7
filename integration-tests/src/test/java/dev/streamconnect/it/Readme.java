package dev.streamconnect.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.it.Sandbox.Role;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The lines of a README file, as a user takes them from it; with the ports of a sandbox. */
final class Readme {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern POST =
            Pattern.compile("(?m)^curl -X POST \"http://127.0.0.1:4900([^\"]+)\"$");
    private static final long LIMIT_SECONDS = 180;

    private final Sandbox sandbox;
    private final String text;

    Readme(Path file, Sandbox sandbox) throws IOException {
        this.sandbox = sandbox;
        this.text = Files.readString(file);
    }

    /** The block that holds the text. */
    String block(String language, String part) {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(text)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(part))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The line of a shell that begins with this: it alone, or with the value of its last option.
     */
    String line(String beginning) {
        return Pattern.compile("(?m)^" + Pattern.quote(beginning) + "(=.*)?$")
                .matcher(text)
                .results()
                .findFirst()
                .orElseThrow()
                .group();
    }

    /** Makes the calls of a block, which a user makes with curl. */
    void post(String part) throws IOException, InterruptedException {
        List<MatchResult> posts = POST.matcher(block("bash", part)).results().toList();
        assertThat(posts).isNotEmpty();
        for (MatchResult post : posts) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(sandbox.control().address() + post.group(1)))
                            .POST(HttpRequest.BodyPublishers.noBody())
                            .build();
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
    }

    /** Runs a block in the root of the clone. */
    void run(String part) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String lines =
                block("bash", part)
                        .replace("localhost:9092", sandbox.bootstrap(Role.local))
                        .replace("localhost:4000", sandbox.bootstrap(Role.producer))
                        .replace(
                                "samples/hermes-sandbox/target/hermes", sandbox.folder().toString())
                        .replace("| java ", "| " + java + " ");
        Path out = Files.createTempFile("readme", ".out");
        Process process =
                new ProcessBuilder("sh", "-e", "-c", lines)
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        Files.delete(out);
    }
}
