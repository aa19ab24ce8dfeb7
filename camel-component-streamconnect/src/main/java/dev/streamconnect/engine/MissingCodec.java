package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Knows when messages can't be read since the native code of their compression codec can't be
 * loaded: it is unpacked into the temp folder first.
 */
final class MissingCodec {

    private static final String COMPRESSION = "org.apache.kafka.common.compress.";

    /** Packages of the libraries with native code. */
    private static final Map<String, String> LIBRARIES =
            Map.of("org.xerial.snappy.", "snappy", "com.github.luben.zstd.", "zstd");

    private MissingCodec() {}

    /**
     * What is wrong and how to mend it, one line.
     *
     * @return null if the error is another one
     */
    static String explain(Throwable error) {
        Error fault = null;
        String codec = null;
        Throwable at = error;
        for (int depth = 0; at != null && depth < 10; depth++) {
            // UnsatisfiedLinkError, ExceptionInInitializerError, NoClassDefFoundError; snappy has
            // one of its own.
            if (at instanceof Error found && !(at instanceof VirtualMachineError)) {
                fault = found;
            }
            codec = codec == null ? codec(at.getStackTrace()) : codec;
            at = at.getCause();
        }
        return fault == null || codec == null
                ? null
                : "messages are compressed with "
                        + codec
                        + ", whose native code can't be loaded by way of the temp folder "
                        + folder()
                        + ": "
                        + Causes.shortest(fault)
                        + "; start the JVM with -Djava.io.tmpdir naming a folder in which files may"
                        + " be written and executed";
    }

    private static String codec(StackTraceElement[] frames) {
        for (StackTraceElement frame : frames) {
            String name = frame.getClassName();
            if (name.startsWith(COMPRESSION) && name.endsWith("Compression")) {
                return name.substring(COMPRESSION.length(), name.length() - "Compression".length())
                        .toLowerCase(Locale.ROOT);
            }
            for (Map.Entry<String, String> library : LIBRARIES.entrySet()) {
                if (name.startsWith(library.getKey())) {
                    return library.getValue();
                }
            }
        }
        return null;
    }

    private static String folder() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        if (!Files.isDirectory(folder)) {
            return folder + " (not there)";
        }
        return Files.isWritable(folder) ? folder.toString() : folder + " (not writable)";
    }
}
