package dev.streamconnect.benchmark.broker;

import java.nio.file.Path;
import java.util.List;

/** The pair that all contenders share. */
public final class Brokers implements AutoCloseable {

    private final Broker source;
    private final Broker destination;

    private Brokers(Broker source, Broker destination) {
        this.source = source;
        this.destination = destination;
    }

    /**
     * @param classPath Kafka's libraries and this module
     * @param folder an empty one, for their data
     */
    public static Brokers start(List<String> classPath, Path folder) throws Exception {
        TlsFiles tls = TlsFiles.write(folder.resolve("tls"));
        Broker source = Broker.start("source", classPath, folder.resolve("source"), tls);
        try {
            return new Brokers(
                    source,
                    Broker.start("destination", classPath, folder.resolve("destination"), tls));
        } catch (Exception e) {
            source.close();
            throw e;
        }
    }

    public Broker source() {
        return source;
    }

    public Broker destination() {
        return destination;
    }

    /** Consumed CPU of both, nanoseconds. */
    public long cpuNanos() {
        return source.cpuNanos() + destination.cpuNanos();
    }

    /** How their JVMs are started. */
    public static String jvm() {
        return String.join(" ", Broker.JVM.subList(0, Broker.JVM.size() - 1));
    }

    @Override
    public void close() {
        source.close();
        destination.close();
    }
}
