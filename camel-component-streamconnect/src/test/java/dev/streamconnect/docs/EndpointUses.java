package dev.streamconnect.docs;

import dev.streamconnect.docs.Documents.Text;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The endpoints that a text uses. */
final class EndpointUses {

    private static final Set<String> READING = Set.of("from", "poll", "pollEnrich");
    private static final Set<String> SHORT = Set.of("to", "toD", "wireTap");

    /** A URI of either scheme in a code span; not one with something left out. */
    private static final Pattern SPAN =
            Pattern.compile("`((?:hermes|replication):[^\\s`<>…]+\\?[^\\s`<>…]+)`");

    /**
     * An endpoint.
     *
     * @param reads true for a consumer, false for a producer, null where it is not said
     */
    record Use(String place, String uri, Boolean reads) {

        @Override
        public String toString() {
            return place + ": " + uri;
        }
    }

    private EndpointUses() {}

    static List<Use> in(Text text) throws Exception {
        return switch (text.language()) {
            case "yaml" -> inYaml(text);
            case "xml" -> inXml(text);
            default -> throw new IllegalArgumentException(text.language());
        };
    }

    /** Those that the prose of a page names. */
    static List<Use> inProse(String place, String page) {
        return SPAN.matcher(page)
                .results()
                .map(span -> new Use(place, span.group(1), null))
                .toList();
    }

    private static List<Use> inYaml(Text text) {
        List<Use> uses = new ArrayList<>();
        collect(
                text.place(),
                "",
                new Load(LoadSettings.builder().build()).loadFromString(text.content()),
                uses);
        return uses;
    }

    private static void collect(String place, String key, Object node, List<Use> uses) {
        if (node instanceof List<?> items) {
            items.forEach(item -> collect(place, key, item, uses));
        } else if (node instanceof Map<?, ?> fields) {
            if (fields.get("uri") instanceof String uri) {
                uses.add(use(place, key, uri + parameters(uri, fields.get("parameters"))));
            }
            fields.forEach((name, value) -> collect(place, name.toString(), value, uses));
        } else if (node instanceof String uri && SHORT.contains(key)) {
            uses.add(use(place, key, uri));
        }
    }

    private static Use use(String place, String step, String uri) {
        return new Use(place, uri, READING.contains(step));
    }

    private static String parameters(String uri, Object parameters) {
        StringBuilder text = new StringBuilder();
        if (parameters instanceof Map<?, ?> map) {
            map.forEach(
                    (name, value) ->
                            text.append(uri.contains("?") || !text.isEmpty() ? '&' : '?')
                                    .append(name)
                                    .append('=')
                                    .append(value));
        }
        return text.toString();
    }

    private static List<Use> inXml(Text text) throws Exception {
        String content = text.content().replaceFirst("^<\\?xml.*?\\?>", "");
        NodeList elements =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader("<all>" + content + "</all>")))
                        .getElementsByTagName("*");
        List<Use> uses = new ArrayList<>();
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (element.hasAttribute("uri")) {
                uses.add(use(text.place(), element.getTagName(), element.getAttribute("uri")));
            }
        }
        return uses;
    }
}
