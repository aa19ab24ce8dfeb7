package dev.streamconnect.benchmark;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The class paths of the processes.
 *
 * @param all this module with this project and camel-kafka
 * @param mirror MirrorMaker 2
 * @param kafka brokers
 */
record Libraries(Path all, Path mirror, Path kafka) {

    /**
     * @throws IllegalArgumentException if a folder is missing
     */
    Libraries {
        for (Path folder : List.of(all, mirror, kafka)) {
            if (!Files.isDirectory(folder)) {
                throw new IllegalArgumentException(
                        folder + " is missing; mvn -Pbenchmark lays it out");
            }
        }
    }

    List<String> contender() {
        return List.of(all + "/*");
    }

    List<String> mirrorMaker() {
        return List.of(own(), mirror + "/*");
    }

    List<String> broker() {
        return List.of(own(), kafka + "/*");
    }

    private static String own() {
        try {
            return Path.of(
                            Libraries.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI())
                    .toRealPath()
                    .toString();
        } catch (URISyntaxException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
