package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.streamconnect.spi.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The operations in docs/operations.md")
class DocumentedOperationsTest extends UndeliveredTestSupport {

    private static final Pattern YAML = Pattern.compile("(?s)```yaml\\n(.*?)```");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z]+)` \\|");

    private static String section() throws IOException {
        String page = Files.readString(Path.of("../docs/operations.md"));
        int begin = page.indexOf("\n## Operations\n");
        assertThat(begin).isPositive();
        int end = page.indexOf("\n## ", begin + 1);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    @Test
    @DisplayName("are those that there are")
    void table() throws Exception {
        Set<String> documented =
                ROW.matcher(section())
                        .results()
                        .map(row -> row.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented)
                .containsAll(
                        Arrays.stream(ReplicationOperation.values())
                                .map(ReplicationOperation::toString)
                                .toList());
    }

    @Test
    @DisplayName("have a route that works")
    void route() throws Exception {
        Matcher yaml = YAML.matcher(section());
        assertThat(yaml.find()).isTrue();
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(ResourceHelper.fromString("documented.yaml", yaml.group(1)));
        store.store(rows.of("orders-to-sn", Reason.AUTHORIZATION, 5));
        store.store(rows.of("events-to-sn", Reason.SIZE, 3));
        assertThat(resend("AUTHORIZATION").get("madeDue").asInt()).isEqualTo(5);
        assertThat(resend("AUTHORIZATION").get("madeDue").asInt()).isZero();
        assertThat(resend(null).get("madeDue").asInt()).as("without a reason").isZero();
    }

    private JsonNode resend(String reason) throws Exception {
        return new ObjectMapper()
                .readTree(
                        template.requestBodyAndHeader(
                                "direct:resend", null, "reason", reason, String.class));
    }
}
