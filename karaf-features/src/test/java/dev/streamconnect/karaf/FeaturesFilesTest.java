package dev.streamconnect.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The features have in them what Maven resolves, in these versions, and nothing else. */
class FeaturesFilesTest {

    private static final Path FOLDER = Path.of("target", "features");

    /** Of libraries, for what is not used here; {@code slf4j-api} is the container's. */
    private static final Set<String> LEFT_OUT =
            Set.of(
                    "com.mchange:c3p0",
                    "com.mchange:mchange-commons-java",
                    "jakarta.activation:jakarta.activation-api",
                    "jakarta.xml.bind:jakarta.xml.bind-api",
                    "org.checkerframework:checker-qual",
                    "org.slf4j:slf4j-api");

    @Test
    void bundlesAreTheArtifactsThatMavenResolves() throws Exception {
        Set<String> bundles = new TreeSet<>();
        bundles.addAll(artifacts("features.xml"));
        bundles.addAll(artifacts("offline-features.xml"));

        Set<String> resolved =
                resolved().stream()
                        .filter(artifact -> !LEFT_OUT.contains(withoutVersion(artifact)))
                        .collect(Collectors.toCollection(TreeSet::new));

        bundles.removeIf(
                artifact -> artifact.startsWith("dev.streamconnect:camel-streamconnect-karaf:"));
        assertThat(bundles).isEqualTo(resolved);
    }

    @Test
    void featuresOfApacheCamelKarafAreNamedByRangeAndNotBrought() throws Exception {
        Document features = read("features.xml");

        assertThat(elements(features, "repository")).isEmpty();
        assertThat(elements(features, "feature"))
                .filteredOn(feature -> feature.getTextContent().strip().startsWith("camel-"))
                .filteredOn(feature -> !feature.getTextContent().contains("camel-streamconnect"))
                .isNotEmpty()
                .allSatisfy(
                        feature ->
                                assertThat(feature.getAttribute("version")).isEqualTo("[4.14,5)"));
        assertThat(artifacts("features.xml"))
                .noneMatch(artifact -> artifact.startsWith("org.apache.camel:"))
                .noneMatch(artifact -> artifact.startsWith("org.apache.kafka:"));
    }

    @Test
    void theKarHasAllFeaturesAndInstallsThemByOne() throws Exception {
        List<String> all = new ArrayList<>(names("offline-features.xml"));
        all.addAll(names("features.xml"));
        all.add("camel-streamconnect-offline");

        assertThat(names("kar-features.xml")).isEqualTo(all).hasSizeGreaterThan(5);
        assertThat(elements(read("kar-features.xml"), "feature"))
                .filteredOn(feature -> feature.hasAttribute("name"))
                .filteredOn(feature -> !feature.getAttribute("install").equals("manual"))
                .extracting(feature -> feature.getAttribute("name"))
                .containsExactly("camel-streamconnect-offline");
        assertThat(artifacts("kar-features.xml"))
                .containsAll(artifacts("features.xml"))
                .containsAll(artifacts("offline-features.xml"));
    }

    private static List<String> names(String file) throws Exception {
        return elements(read(file), "feature").stream()
                .map(feature -> feature.getAttribute("name"))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** {@code group:artifact:version} of the bundles. */
    private static Set<String> artifacts(String file) throws Exception {
        return elements(read(file), "bundle").stream()
                .map(bundle -> bundle.getTextContent().strip())
                .map(url -> url.substring(url.indexOf("mvn:") + "mvn:".length()))
                .map(url -> url.replaceFirst("\\$.*", "").replace('/', ':'))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Written by the build: {@code group:artifact:jar:version:scope} in lines among others. */
    private static Set<String> resolved() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("target", "runtime-artifacts.txt"))) {
            return lines.map(line -> line.replaceAll("\u001B\\[[;\\d]*m", "").strip())
                    .map(line -> line.split(" ")[0].split(":"))
                    .filter(parts -> parts.length == 5 && parts[2].equals("jar"))
                    .map(parts -> parts[0] + ":" + parts[1] + ":" + parts[3])
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String withoutVersion(String artifact) {
        return artifact.substring(0, artifact.lastIndexOf(':'));
    }

    private static Document read(String file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(FOLDER.resolve(file).toFile());
    }

    private static List<Element> elements(Document document, String name) {
        NodeList found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(index -> (Element) found.item(index))
                .toList();
    }
}
