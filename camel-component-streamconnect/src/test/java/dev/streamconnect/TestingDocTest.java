package dev.streamconnect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code docs/TESTING.md} tells the truth about the tests of all modules. */
class TestingDocTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"case-([A-Z]+[0-9]+)\"\\)");
    private static final Pattern ROW =
            Pattern.compile("^\\| ([A-Z]+[0-9]+) \\| (.+) \\|$", Pattern.MULTILINE);
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*(?:Test|IT))`");

    /** Test classes of all modules with the cases that they are tagged with. */
    private static final Map<String, Set<String>> CASES_OF_CLASS = new TreeMap<>();

    private static String page;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/TESTING.md"));
        Files.walkFileTree(
                ROOT,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        String name = folder.getFileName().toString();
                        boolean skipped =
                                !folder.equals(ROOT)
                                        && (name.equals("target") || name.startsWith("."));
                        return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        String path = ROOT.relativize(file).toString().replace('\\', '/');
                        if (path.contains("src/test/java/") && path.endsWith(".java")) {
                            String name = file.getFileName().toString();
                            CASES_OF_CLASS
                                    .computeIfAbsent(
                                            name.substring(0, name.length() - ".java".length()),
                                            n -> new TreeSet<>())
                                    .addAll(casesIn(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static Set<String> casesIn(Path file) {
        try {
            return TAG.matcher(Files.readString(file))
                    .results()
                    .map(tag -> tag.group(1))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> rows() {
        return ROW.matcher(page)
                .results()
                .collect(
                        Collectors.toMap(
                                row -> row.group(1), row -> row.group(2), (a, b) -> a + b));
    }

    private static Set<String> classesIn(String text) {
        return CLASS.matcher(text)
                .results()
                .map((MatchResult named) -> named.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("the table of cases has exactly the cases that tests are tagged with")
    void cases() {
        Set<String> tagged = new TreeSet<>();
        CASES_OF_CLASS.values().forEach(tagged::addAll);
        assertThat(tagged).isNotEmpty();
        assertThat(rows().keySet()).isEqualTo(tagged);
    }

    @Test
    @DisplayName("each class that stands beside a case is tagged with it")
    void classesOfCases() {
        rows().forEach(
                        (id, text) -> {
                            assertThat(classesIn(text)).as("tests of case " + id).isNotEmpty();
                            for (String name : classesIn(text)) {
                                assertThat(CASES_OF_CLASS.getOrDefault(name, Set.of()))
                                        .as("cases of " + name)
                                        .contains(id);
                            }
                        });
    }

    @Test
    @DisplayName("each test class that the page names is there")
    void classes() {
        assertThat(CASES_OF_CLASS.keySet()).containsAll(classesIn(page));
    }
}
