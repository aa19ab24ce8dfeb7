package dev.streamconnect.camel;

import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.PropertyConfigurerGetter;

/**
 * Sets options as the generated configurer does, but refuses text that is no number where a number
 * or a time is wanted: Camel takes such a text for 0, and the error that follows, if one does,
 * names a value that nobody wrote. Immutable.
 */
public final class CheckedNumbers implements PropertyConfigurer, PropertyConfigurerGetter {

    private static final Pattern WHOLE = Pattern.compile("-?\\d+");
    private static final Pattern TIME =
            Pattern.compile("-?\\d+|(\\d+(ms|[smhd]))+|PT[\\dHMS.]+", Pattern.CASE_INSENSITIVE);
    private static final int SHOWN = 40;

    private final PropertyConfigurer configurer;
    private final PropertyConfigurerGetter types;

    private CheckedNumbers(PropertyConfigurer configurer, PropertyConfigurerGetter types) {
        this.configurer = configurer;
        this.types = types;
    }

    /**
     * @param configurer null or one without types is given back as it is
     */
    public static PropertyConfigurer of(PropertyConfigurer configurer) {
        return configurer instanceof PropertyConfigurerGetter types
                ? new CheckedNumbers(configurer, types)
                : configurer;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the value is no number or time, and the option is one
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
