package dev.streamconnect.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The Kamelets of {@code routes/kamelets}. */
final class Kamelets {

    private Kamelets() {}

    static Map<?, ?> read(String name) throws IOException {
        return (Map<?, ?>)
                new Load(LoadSettings.builder().build())
                        .loadFromString(
                                Files.readString(
                                        Documents.ROOT.resolve(
                                                "routes/kamelets/" + name + ".kamelet.yaml")));
    }

    /** Title, description, properties and which of them are required. */
    static Map<?, ?> definition(String name) throws IOException {
        return (Map<?, ?>) ((Map<?, ?>) read(name).get("spec")).get("definition");
    }
}
