package dev.streamconnect.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What users read and copy: the pages, their code blocks, and the files of routes and samples. */
final class Documents {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w+)\\n(.*?)^ *```$");
    private static final Set<String> NOT_WRITTEN = Set.of("target", "src");

    /** A code block of a page, or a whole file. */
    record Text(String place, String language, String content) {

        @Override
        public String toString() {
            return place;
        }
    }

    private Documents() {}

    /** All pages but the results of tests. */
    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        pages.addAll(files("docs", ".md"));
        pages.addAll(files("samples", ".md"));
        pages.removeIf(page -> page.startsWith(ROOT.resolve("docs/results")));
        return pages;
    }

    static List<Text> blocks(Path page) throws IOException {
        List<Text> blocks = new ArrayList<>();
        for (MatchResult block : BLOCK.matcher(Files.readString(page)).results().toList()) {
            String place = ROOT.relativize(page) + ", block " + (blocks.size() + 1);
            blocks.add(new Text(place, block.group(1), block.group(2)));
        }
        return blocks;
    }

    /** Blocks of all pages, and files of routes and samples, in one of these languages. */
    static List<Text> texts(String... languages) throws IOException {
        List<Text> texts = new ArrayList<>();
        for (Path page : pages()) {
            texts.addAll(blocks(page));
        }
        for (String folder : List.of("routes", "samples")) {
            for (String language : languages) {
                for (Path file : files(folder, "." + language)) {
                    texts.add(
                            new Text(
                                    ROOT.relativize(file).toString(),
                                    language,
                                    Files.readString(file)));
                }
            }
        }
        texts.removeIf(text -> !Set.of(languages).contains(text.language()));
        return texts;
    }

    /** Without sources and what a build makes, in order. */
    static List<Path> files(String folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending) && isWritten(file))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isWritten(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (NOT_WRITTEN.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }
}
