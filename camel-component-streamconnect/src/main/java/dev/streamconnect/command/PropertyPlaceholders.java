package dev.streamconnect.command;

import dev.streamconnect.cluster.SecretFile;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resolves placeholders without a running Camel: {@code {{name}}}, {@code {{name:default}}}, {@code
 * {{env:NAME}}} and {@code {{sys:name}}}, both with an optional default too, and {@code
 * {{secretFile:path}}}.
 */
final class PropertyPlaceholders implements UnaryOperator<String> {

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]*)}}");

    private final Map<String, String> properties;

    private PropertyPlaceholders(Map<String, String> properties) {
        this.properties = properties;
    }

    static PropertyPlaceholders of(List<Path> files, Map<String, String> overrides)
            throws IOException {
        Map<String, String> all = new HashMap<>();
        for (Path file : files) {
            Properties read = new Properties();
            try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                read.load(reader);
            } catch (NoSuchFileException e) {
                throw new IOException("there is no file " + file + "; correct the path", e);
            } catch (CharacterCodingException e) {
                throw new IOException(file + " is not UTF-8; save it as UTF-8", e);
            } catch (IOException e) {
                throw new IOException(
                        file + " cannot be read; check that it is a file, and its rights", e);
            } catch (IllegalArgumentException e) {
                throw new IOException(file + " is no properties file; correct its \\u escapes", e);
            }
            read.forEach((name, value) -> all.put(name.toString(), value.toString()));
        }
        all.putAll(overrides);
        return new PropertyPlaceholders(all);
    }

    /** The text with its placeholders resolved, or null if one cannot be. */
    @Override
    public String apply(String text) {
        StringBuilder resolved = new StringBuilder();
        Matcher matcher = PLACEHOLDER.matcher(text);
        while (matcher.find()) {
            String value = value(matcher.group(1));
            if (value == null) {
                return null;
            }
            matcher.appendReplacement(resolved, Matcher.quoteReplacement(value));
        }
        matcher.appendTail(resolved);
        return resolved.indexOf("{{") >= 0 ? null : resolved.toString();
    }

    private String value(String inner) {
        String text = inner.strip();
        if (text.startsWith("env:")) {
            return orDefault(text.substring(4), System::getenv);
        }
        if (text.startsWith("sys:")) {
            return orDefault(text.substring(4), System::getProperty);
        }
        if (text.startsWith("secretFile:")) {
            return SecretFile.read(text.substring(11));
        }
        return orDefault(text, properties::get);
    }

    private static String orDefault(String text, UnaryOperator<String> source) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String value = name.isEmpty() ? null : source.apply(name);
        return value == null && colon >= 0 ? text.substring(colon + 1) : value;
    }
}
