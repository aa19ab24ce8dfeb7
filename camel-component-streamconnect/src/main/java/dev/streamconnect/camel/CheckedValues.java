package dev.streamconnect.camel;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.PropertyConfigurerGetter;

/**
 * Sets options as the generated configurer does, but refuses text that is no number where a number
 * or a time is wanted, and constants that there are not: Camel takes the first for 0, and the error
 * that follows, if one does, names a value that nobody wrote; of the second it names the class.
 * Immutable.
 */
public final class CheckedValues implements PropertyConfigurer, PropertyConfigurerGetter {

    private static final Pattern WHOLE = Pattern.compile("-?\\d+");
    private static final Pattern TIME =
            Pattern.compile("-?\\d+|(\\d+(ms|[smhd]))+|PT[\\dHMS.]+", Pattern.CASE_INSENSITIVE);
    private static final int SHOWN = 40;

    private final PropertyConfigurer configurer;
    private final PropertyConfigurerGetter types;

    private CheckedValues(PropertyConfigurer configurer, PropertyConfigurerGetter types) {
        this.configurer = configurer;
        this.types = types;
    }

    /**
     * @param configurer null or one without types is given back as it is
     */
    public static PropertyConfigurer of(PropertyConfigurer configurer) {
        return configurer instanceof PropertyConfigurerGetter types
                ? new CheckedValues(configurer, types)
                : configurer;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the value is no number, time or constant, and the option
     *     is one
     */
    @Override
    public boolean configure(
            CamelContext context, Object target, String name, Object value, boolean ignoreCase) {
        if (value instanceof String text && !text.startsWith("#")) {
            check(types.getOptionType(name, ignoreCase), text);
        }
        return configurer.configure(context, target, name, value, ignoreCase);
    }

    private static void check(Class<?> type, String text) {
        if (type == int.class && !WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(shown(text) + " is no whole number; use digits");
        }
        if (type == long.class && !TIME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    shown(text) + " is no time; use milliseconds, or a time such as 30s or 1m30s");
        }
        if (type != null && type.isEnum()) {
            List<String> names =
                    Arrays.stream(type.getEnumConstants()).map(CheckedValues::written).toList();
            if (names.stream().noneMatch(name -> letters(name).equals(letters(text)))) {
                throw new IllegalArgumentException(
                        shown(text) + " is none of " + String.join(", ", names));
            }
        }
    }

    /** As the documentation writes a constant: {@code fireAndForget}. */
    private static String written(Object constant) {
        String[] words = ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).split("_");
        StringBuilder name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            name.append(Character.toUpperCase(words[i].charAt(0))).append(words[i].substring(1));
        }
        return name.toString();
    }

    /** Camel takes constants in any case, with dashes or without. */
    private static String letters(String text) {
        return text.replaceAll("[-_]", "").toLowerCase(Locale.ROOT);
    }

    private static String shown(String text) {
        return "'" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text) + "'";
    }

    @Override
    public Class<?> getOptionType(String name, boolean ignoreCase) {
        return types.getOptionType(name, ignoreCase);
    }

    @Override
    public Object getOptionValue(Object target, String name, boolean ignoreCase) {
        return types.getOptionValue(target, name, ignoreCase);
    }

    @Override
    public Object getCollectionValueType(Object target, String name, boolean ignoreCase) {
        return types.getCollectionValueType(target, name, ignoreCase);
    }
}
