package dev.streamconnect.karaf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packages in the manifest of a bundle on the class path. */
final class BundleManifest {

    private static final Pattern CLAUSE =
            Pattern.compile("([\\w.-]+)((?:;[\\w.-]+:?=(?:\"[^\"]*\"|[^\",;]*))*)(?:,|$)");
    private static final Pattern PARAMETER =
            Pattern.compile(";([\\w.-]+):?=(?:\"([^\"]*)\"|([^\",;]*))");

    private final Attributes attributes;

    private BundleManifest(Attributes attributes) {
        this.attributes = attributes;
    }

    static BundleManifest of(String symbolicName) {
        try {
            for (URL url :
                    Collections.list(
                            BundleManifest.class
                                    .getClassLoader()
                                    .getResources("META-INF/MANIFEST.MF"))) {
                try (InputStream in = url.openStream()) {
                    Attributes found = new Manifest(in).getMainAttributes();
                    if (symbolicName.equals(found.getValue("Bundle-SymbolicName"))) {
                        return new BundleManifest(found);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("no bundle " + symbolicName + " on the class path");
    }

    String header(String name) {
        return attributes.getValue(name);
    }

    /** Packages of a header, each with its parameters. */
    Map<String, Map<String, String>> packages(String header) {
        Map<String, Map<String, String>> packages = new TreeMap<>();
        Matcher clauses = CLAUSE.matcher(attributes.getValue(header));
        int end = 0;
        while (clauses.find() && clauses.start() == end) {
            end = clauses.end();
            Map<String, String> parameters = new TreeMap<>();
            Matcher each = PARAMETER.matcher(clauses.group(2));
            while (each.find()) {
                parameters.put(
                        each.group(1), each.group(2) == null ? each.group(3) : each.group(2));
            }
            packages.put(clauses.group(1), parameters);
        }
        if (end != attributes.getValue(header).length()) {
            throw new AssertionError(
                    "not understood: " + attributes.getValue(header).substring(end));
        }
        return packages;
    }
}
