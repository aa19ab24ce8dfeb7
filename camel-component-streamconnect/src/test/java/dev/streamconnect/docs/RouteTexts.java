package dev.streamconnect.docs;

import dev.streamconnect.docs.Documents.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.camel.CamelContext;
import org.apache.camel.NamedNode;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.CatchDefinition;
import org.apache.camel.model.ModelCamelContext;
import org.apache.camel.model.ProcessorDefinitionHelper;
import org.apache.camel.model.RouteDefinition;
import org.apache.camel.model.RouteTemplateDefinition;
import org.apache.camel.model.TryDefinition;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;

/** The routes and route templates of the pages, {@code routes/} and the samples. */
final class RouteTexts {

    private static final Pattern URI = Pattern.compile("uri=\"([^?\"]+)\\?([^\"]+)\"");

    private RouteTexts() {}

    static List<Text> in(String language) throws Exception {
        List<Text> texts = new ArrayList<>();
        for (Text text : Documents.texts(language)) {
            if (isRoutes(text)) {
                texts.add(text);
            }
        }
        return texts;
    }

    private static boolean isRoutes(Text text) {
        return text.language().equals("yaml")
                ? Pattern.compile("(?m)^- route(Template)?:").matcher(text.content()).find()
                : text.content().contains("<route");
    }

    static void load(CamelContext context, Text text) throws Exception {
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(
                        ResourceHelper.fromString("documented." + text.language(), text.content()));
    }

    /** By its id what a route or template is, whatever language it is written in. */
    static Map<String, String> models(Text text) throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            load(context, text);
            ModelCamelContext model = context;
            List<NamedNode> nodes = new ArrayList<>(model.getRouteDefinitions());
            nodes.addAll(model.getRouteTemplateDefinitions());
            Map<String, String> models = new LinkedHashMap<>();
            for (NamedNode node : nodes) {
                RouteDefinition route =
                        node instanceof RouteTemplateDefinition template
                                ? template.getRoute()
                                : (RouteDefinition) node;
                ProcessorDefinitionHelper.filterTypeInOutputs(
                                route.getOutputs(), TryDefinition.class)
                        .forEach(RouteTexts::withCatches);
                models.put(
                        node.getId(),
                        comparable(
                                PluginHelper.getModelToXMLDumper(context)
                                        .dumpModelAsXml(context, node)));
            }
            return models;
        }
    }

    /** What reads YAML keeps them beside the steps, what reads XML among them. */
    private static void withCatches(TryDefinition block) {
        for (CatchDefinition each : block.getCatchClauses()) {
            if (!block.getOutputs().contains(each)) {
                block.getOutputs().add(each);
            }
        }
    }

    /** Without ids that Camel makes, and with the options of each URI in order. */
    private static String comparable(String xml) {
        String plain = xml.replaceAll(" (customId|id)=\"(true|[a-z-]*[a-zA-Z]+\\d+)\"", "");
        return URI.matcher(plain).replaceAll(uri -> Matcher.quoteReplacement(sorted(uri)));
    }

    private static String sorted(MatchResult uri) {
        return Arrays.stream(uri.group(2).split("&amp;"))
                .sorted()
                .collect(Collectors.joining("&amp;", "uri=\"" + uri.group(1) + "?", "\""));
    }
}
