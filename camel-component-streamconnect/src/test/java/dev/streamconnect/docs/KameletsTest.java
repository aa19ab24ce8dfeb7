package dev.streamconnect.docs;

import static dev.streamconnect.camel.TestRecords.bytes;
import static dev.streamconnect.camel.TestRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.streamconnect.camel.EngineTestSupport;
import dev.streamconnect.camel.RecordingEngine.RecordingDelivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.tooling.model.BaseOptionModel;
import org.apache.camel.tooling.model.ComponentModel;
import org.apache.camel.tooling.model.JsonMapper;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The Kamelets in the jar")
class KameletsTest extends EngineTestSupport {

    @Override
    protected RouteBuilder createRouteBuilder() {
        return new RouteBuilder() {
            @Override
            public void configure() {
                from("kamelet:hermes-source?topic=orders&groupId=dispatch").to("mock:read");
                from("direct:send").to("kamelet:hermes-sink?topic=orders");
                from("direct:app")
                        .to(
                                "kamelet:hermes-sink?topic=orders&applicationId=sn_streamconnect&delivery=sync&allowTombstone=true");
            }
        };
    }

    @Test
    @DisplayName("read a topic, and the delivery is settled behind the route")
    void source() throws Exception {
        MockEndpoint read = getMockEndpoint("mock:read");
        read.expectedBodiesReceived((Object) bytes("v"));
        read.expectedHeaderReceived("CamelHermesSide", "A");
        RecordingDelivery delivery =
                engine.deliver("snc.acme.orders@snc.acme.dispatch", record(1, "k", "v"));
        MockEndpoint.assertIsSatisfied(context);
        assertThat(delivery.completed).isTrue();
    }

    @Test
    @DisplayName("send to a topic, with the header of the key, by the options that are given")
    void sink() {
        template.requestBodyAndHeader("direct:send", "an order", "CamelHermesKey", "k");
        assertThat(engine.sent.get(0).topic()).isEqualTo("snc.acme.orders");
        assertThat(engine.sent.get(0).outgoing().key()).isEqualTo(bytes("k"));
        assertThat(template.request("direct:send", exchange -> {}).getException())
                .hasMessageContaining("null body");

        assertThat(template.request("direct:app", exchange -> {}).getMessage().getHeaders())
                .containsEntry("CamelHermesOffset", 42L);
        assertThat(engine.sent.get(1).topic()).isEqualTo("snc.acme.sn_streamconnect.orders");
    }

    @Test
    @DisplayName("name the property that is missing")
    void missing() {
        assertThatThrownBy(
                        () ->
                                context.addRoutes(
                                        new RouteBuilder() {
                                            @Override
                                            public void configure() {
                                                from("direct:none").to("kamelet:hermes-sink");
                                            }
                                        }))
                .hasStackTraceContaining("mandatory parameters must be provided: topic");
    }

    @ParameterizedTest
    @ValueSource(strings = {"source", "sink"})
    @DisplayName("have all that a catalog of Kamelets asks for, and defaults and values of hermes")
    void described(String type) throws Exception {
        Map<?, ?> kamelet = Kamelets.read("hermes-" + type);
        assertThat(at(kamelet, "metadata", "name")).isEqualTo("hermes-" + type);
        assertThat(at(kamelet, "metadata", "labels", "camel.apache.org/kamelet.type"))
                .isEqualTo(type);
        assertThat(at(kamelet, "spec", "definition", "title")).asString().isNotBlank();
        assertThat(at(kamelet, "spec", "definition", "description")).asString().isNotBlank();
        String pom = Files.readString(Documents.ROOT.resolve("pom.xml"));
        String version = pom.replaceFirst("(?s).*?<version>(.*?)</version>.*", "$1");
        assertThat(at(kamelet, "spec", "dependencies"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("mvn:dev.streamconnect:camel-component-streamconnect:" + version);
        Map<Object, Object> properties =
                new TreeMap<>((Map<?, ?>) at(kamelet, "spec", "definition", "properties"));
        assertThat(properties.keySet())
                .containsAll((List<?>) at(kamelet, "spec", "definition", "required"));
        properties.forEach((name, property) -> property((String) name, (Map<?, ?>) property));
    }

    private static void property(String name, Map<?, ?> property) {
        BaseOptionModel option =
                hermes().getEndpointOptions().stream()
                        .filter(each -> each.getName().equals(name))
                        .findFirst()
                        .orElseThrow();
        assertThat(property.get("title")).as(name).asString().isNotBlank();
        assertThat(property.get("description")).as(name).asString().isNotBlank();
        assertThat(property.get("type"))
                .as(name)
                .isEqualTo(option.getType().equals("boolean") ? "boolean" : "string");
        assertThat(property.get("enum")).as(name).isEqualTo(option.getEnums());
        assertThat(property.get("default")).as(name).isEqualTo(option.getDefaultValue());
    }

    private static ComponentModel hermes() {
        try {
            String json =
                    Files.readString(
                            Documents.ROOT.resolve(
                                    "camel-component-streamconnect/src/generated/resources/META-INF/dev/streamconnect/camel/hermes/hermes.json"));
            return JsonMapper.generateComponentModel(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Object at(Map<?, ?> map, String... path) {
        Object found = map;
        for (String name : path) {
            found = ((Map<?, ?>) found).get(name);
        }
        return found;
    }
}
