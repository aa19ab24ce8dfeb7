package dev.streamconnect.benchmark;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The client settings that all contenders have, in two sets. They are what this project's clients
 * have by themselves.
 */
final class ClientSettings {

    private ClientSettings() {}

    static Map<String, String> consumer() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("max.poll.records", "4000");
        settings.put("fetch.max.wait.ms", "10");
        settings.put("isolation.level", "read_committed");
        settings.put("auto.offset.reset", "earliest");
        settings.put("enable.auto.commit", "false");
        return settings;
    }

    static Map<String, String> producer(boolean toHermes) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("acks", "all");
        settings.put("enable.idempotence", toHermes ? "false" : "true");
        settings.put("max.in.flight.requests.per.connection", toHermes ? "1" : "5");
        settings.put("batch.size", "524288");
        settings.put("linger.ms", "5");
        settings.put("buffer.memory", "67108864");
        settings.put("max.request.size", "8388608");
        return settings;
    }
}
