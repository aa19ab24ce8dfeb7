package dev.streamconnect.it;

import org.apache.camel.builder.RouteBuilder;

/** Routes for a Karaf that has no YAML: a topic replication, a message to Hermes, states. */
public final class KarafRoutes extends RouteBuilder {

    static final String TOPIC = "karaf-oldest";
    static final String BEATS = "karaf-oldest-beats";

    @Override
    public void configure() {
        from("replication:" + TOPIC + "?batch=true").routeId("copy").to("replication:" + TOPIC);
        from("timer:beat?repeatCount=1").setBody(constant("alive")).to("hermes:" + BEATS);
        from("timer:states?period=1000")
                .to("replication:*?operation=status&json=true")
                .log("states ${body}");
    }
}
