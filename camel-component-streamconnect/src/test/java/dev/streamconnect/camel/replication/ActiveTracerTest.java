package dev.streamconnect.camel.replication;

import static dev.streamconnect.camel.TestRecords.shown;
import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.engine.OutgoingRecord;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.util.List;
import org.apache.camel.CamelContext;
import org.apache.camel.opentelemetry2.OpenTelemetryTracer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("With a tracer in the context")
class ActiveTracerTest extends TraceContextTest {

    private final SdkTracerProvider spans = SdkTracerProvider.builder().build();

    @Override
    protected void configure(CamelContext context) throws Exception {
        super.configure(context);
        context.getRegistry().bind("tracer", Tracer.class, spans.get("test"));
        context.getRegistry()
                .bind(
                        "propagators",
                        ContextPropagators.class,
                        ContextPropagators.create(
                                TextMapPropagator.composite(
                                        W3CTraceContextPropagator.getInstance(),
                                        W3CBaggagePropagator.getInstance())));
        new OpenTelemetryTracer().init(context);
    }

    @AfterEach
    void closeSpans() {
        spans.close();
    }

    @Override
    @Test
    @DisplayName("a message goes on with the tracer's own span, a child of the record's, once")
    void untouched() {
        for (String direction : new String[] {"up", "down"}) {
            OutgoingRecord sent = engine.deliver("one-" + direction, traced()).only();
            List<String> headers = shown(sent.headers());
            System.out.println(headers);
            assertThat(headers)
                    .filteredOn(header -> header.startsWith("traceparent="))
                    .singleElement()
                    .asString()
                    .startsWith("traceparent=00-" + TRACE)
                    .isNotEqualTo("traceparent=" + PARENT);
        }
    }

    @Override
    @Test
    @DisplayName("a batch passes untouched: its records are no exchanges")
    void batch() {
        assertBatchUntouched();
    }
}
