package dev.streamconnect.camel.hermes;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which compression may go to Hermes; a broker would take any and recompress, so the check is here.
 */
final class HermesCodec {

    static final String PROPERTY = "compression.type";

    private static final Set<String> ACCEPTED = Set.of("none", "gzip", "lz4");
    private static final Set<String> REFUSED = Set.of("snappy", "zstd");

    private HermesCodec() {}

    /** Security, compression and the user's own properties of a producer toward Hermes. */
    static Map<String, Object> producer(HermesConfiguration form, Map<String, Object> security) {
        Map<String, Object> properties = new LinkedHashMap<>(security);
        properties.put(PROPERTY, checked("compressionType", form.getCompressionType()));
        Object users = form.getProducerProperties().get(PROPERTY);
        if (users != null) {
            checked("producer." + PROPERTY, users.toString());
        }
        return HermesSettings.merged(properties, form.getProducerProperties());
    }

    private static String checked(String option, String given) {
        String codec = given == null ? "none" : given.strip().toLowerCase(Locale.ROOT);
        if (ACCEPTED.contains(codec)) {
            return codec;
        }
        throw new IllegalArgumentException(
                REFUSED.contains(codec)
                        ? option + ": Hermes does not accept " + codec + "; use none, gzip or lz4"
                        : option + ": '" + codec + "' is no compression; use none, gzip or lz4");
    }
}
