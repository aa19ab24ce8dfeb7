package dev.streamconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The links of the pages")
class LinksTest {

    private static final Pattern LINK =
            Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)(#[^)\\s]+)?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static Stream<Path> pages() throws IOException {
        return Documents.pages().stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    @DisplayName("lead to files and headings that there are")
    void lead(Path page) throws IOException {
        for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
            Path target =
                    link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
            assertThat(target).as("%s in %s", link.group(), page).exists();
            if (link.group(2) != null) {
                assertThat(headings(target)).as("of %s", page).contains(link.group(2));
            }
        }
    }

    /** As the anchors that they become. */
    private static Set<String> headings(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> "#" + heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }
}
