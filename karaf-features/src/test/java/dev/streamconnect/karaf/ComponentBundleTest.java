package dev.streamconnect.karaf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The component's jar as a bundle: what it asks of a container, and what it shows. */
class ComponentBundleTest {

    private static final String CAMEL_RANGE = "[4.14,5)";

    /** What the optional dependencies of the component's pom bring, and nothing else. */
    private static final Set<String> OPTIONAL =
            Set.of(
                    "com.zaxxer.hikari",
                    "io.micrometer.core.instrument",
                    "org.apache.camel.impl.health",
                    "org.apache.camel.main",
                    "org.h2.jdbcx",
                    "org.postgresql.ds",
                    "picocli");

    private static final Set<String> PUBLIC =
            Set.of(
                    "dev.streamconnect.camel",
                    "dev.streamconnect.camel.hermes",
                    "dev.streamconnect.camel.main",
                    "dev.streamconnect.camel.replication",
                    "dev.streamconnect.cluster",
                    "dev.streamconnect.engine",
                    "dev.streamconnect.metrics",
                    "dev.streamconnect.record",
                    "dev.streamconnect.spi");

    private final BundleManifest manifest =
            BundleManifest.of("dev.streamconnect.camel-component-streamconnect");
    private final Map<String, Map<String, String>> imports = manifest.packages("Import-Package");

    @Test
    void everyCamelOfItsRangeWillDo() {
        Map<String, String> versions = versionsOf("org.apache.camel");

        assertThat(versions).containsKeys("org.apache.camel", "org.apache.camel.spi");
        assertThat(versions)
                .allSatisfy((name, version) -> assertThat(version).isEqualTo(CAMEL_RANGE));
    }

    @Test
    void theContainersOwnBouncyCastleWillDo() {
        Map<String, String> versions = versionsOf("org.bouncycastle");

        assertThat(versions).containsKey("org.bouncycastle.cert");
        assertThat(versions)
                .allSatisfy((name, version) -> assertThat(version).isEqualTo("[1.7,2)"));
    }

    @Test
    void wrappedLibrariesAreTakenWithoutAVersion() {
        assertThat(imports).containsKeys("org.apache.kafka.clients.consumer", "org.jdbi.v3.core");
        assertThat(imports)
                .allSatisfy(
                        (name, parameters) -> {
                            if (!isBelow(name, "org.apache.camel")
                                    && !isBelow(name, "org.bouncycastle")
                                    && !isBelow(name, "org.slf4j")) {
                                assertThat(parameters.get("version")).as(name).isNull();
                            }
                        });
    }

    @Test
    void onlyWhatOptionalDependenciesBringIsOptional() {
        Set<String> optional =
                imports.entrySet().stream()
                        .filter(e -> "optional".equals(e.getValue().get("resolution")))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toCollection(TreeSet::new));

        assertThat(optional).isEqualTo(new TreeSet<>(OPTIONAL));
    }

    @Test
    void onlyPublicPackagesAreExported() {
        assertThat(manifest.packages("Export-Package").keySet()).isEqualTo(new TreeSet<>(PUBLIC));
    }

    @Test
    void ownPackagesAreNotTakenFromOthers() {
        assertThat(versionsOf("dev.streamconnect")).isEmpty();
    }

    private Map<String, String> versionsOf(String root) {
        return imports.entrySet().stream()
                .filter(e -> isBelow(e.getKey(), root))
                .collect(
                        Collectors.toMap(
                                Map.Entry::getKey,
                                e -> String.valueOf(e.getValue().get("version"))));
    }

    private static boolean isBelow(String name, String root) {
        return name.equals(root) || name.startsWith(root + ".");
    }
}
