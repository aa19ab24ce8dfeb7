package dev.streamconnect.camel;

import dev.streamconnect.cluster.SecretFile;
import org.apache.camel.spi.PropertiesFunction;

/**
 * {@code {{secretFile:/run/secrets/plant}}}: the text of a file, without the line break at its end.
 * Camel finds it by its name, wherever placeholders are taken.
 */
public final class SecretFilePropertiesFunction implements PropertiesFunction {

    private static final String NAME = "secretFile";

    /** For Camel. */
    public SecretFilePropertiesFunction() {}

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public String apply(String location) {
        return SecretFile.read(location);
    }
}
