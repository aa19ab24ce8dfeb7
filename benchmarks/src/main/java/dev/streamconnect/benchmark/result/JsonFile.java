package dev.streamconnect.benchmark.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** A report as JSON, every run in it, and back. */
public final class JsonFile {

    private static final ObjectMapper JSON =
            new ObjectMapper()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private JsonFile() {}

    public static String of(Report report) {
        try {
            return JSON.writeValueAsString(report) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * @throws IllegalArgumentException if the text is no report
     */
    public static Report read(String json) {
        try {
            return JSON.readValue(json, Report.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no report: " + e.getOriginalMessage(), e);
        }
    }
}
