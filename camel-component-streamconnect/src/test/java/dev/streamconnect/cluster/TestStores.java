package dev.streamconnect.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Makes stores with the keytool of the JDK that runs the test. */
public final class TestStores {

    private TestStores() {}

    /** A store with one self-signed key. */
    public static Path keystore(
            Path file,
            String type,
            String storePassword,
            String keyPassword,
            String dname,
            String... more)
            throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-alias",
                                "client",
                                "-keyalg",
                                "EC",
                                "-groupname",
                                "secp256r1",
                                "-dname",
                                dname,
                                "-keystore",
                                file.toString(),
                                "-storetype",
                                type,
                                "-storepass",
                                storePassword,
                                "-keypass",
                                keyPassword));
        arguments.addAll(List.of(more));
        run(arguments);
        return file;
    }

    /** A store that trusts the certificate of another store's key. */
    public static Path truststore(
            Path file, String type, String password, Path keystore, String keystorePassword)
            throws IOException, InterruptedException {
        Path certificate = file.resolveSibling(file.getFileName() + ".pem");
        run(
                List.of(
                        "-exportcert",
                        "-rfc",
                        "-alias",
                        "client",
                        "-keystore",
                        keystore.toString(),
                        "-storepass",
                        keystorePassword,
                        "-file",
                        certificate.toString()));
        run(
                List.of(
                        "-importcert",
                        "-noprompt",
                        "-alias",
                        "ca",
                        "-file",
                        certificate.toString(),
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        type,
                        "-storepass",
                        password));
        return file;
    }

    private static void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("keytool failed: " + output);
        }
    }
}
