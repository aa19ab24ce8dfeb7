package dev.streamconnect.sandbox;

import dev.streamconnect.certificate.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of one sandbox. A lock keeps a second one out. The brokers' data below it is removed
 * at the start and at the end.
 */
final class SandboxFolder implements AutoCloseable {

    private static final int PASSWORD_BYTES = 18;

    private final Path root;
    private final FileChannel channel;

    private SandboxFolder(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /**
     * Takes a folder, making it if needed.
     *
     * @throws SandboxException if it cannot be written, or another sandbox has it
     */
    static SandboxFolder open(Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        try {
            Files.createDirectories(root);
            FileChannel channel =
                    FileChannel.open(
                            root.resolve("sandbox.lock"),
                            StandardOpenOption.CREATE,
                            StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                throw new SandboxException(
                        "another sandbox runs in "
                                + root
                                + "; end it, or choose a folder with --dir");
            }
            SandboxFolder folder = new SandboxFolder(root, channel);
            Files.deleteIfExists(folder.description());
            Files.deleteIfExists(folder.log());
            folder.removeBrokers();
            return folder;
        } catch (IOException e) {
            throw new SandboxException(
                    "folder " + root + " cannot be used: " + e + "; choose another with --dir");
        }
    }

    Path root() {
        return root;
    }

    Path log() {
        return root.resolve("sandbox.log");
    }

    /** {@code sandbox.json}. */
    Path description() {
        return root.resolve("sandbox.json");
    }

    Path passwordFile() {
        return root.resolve("password");
    }

    Path brokers() {
        return root.resolve("brokers");
    }

    /** The password of all stores; kept from one start to the next. */
    String password() throws IOException {
        if (Files.notExists(passwordFile())) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            String password = HexFormat.of().formatHex(random);
            OwnerOnlyFiles.write(passwordFile(), password.getBytes(StandardCharsets.US_ASCII));
        }
        return Files.readString(passwordFile(), StandardCharsets.US_ASCII).strip();
    }

    /** The first error in the log, if there is one. */
    Optional<String> firstError() {
        try (Stream<String> lines = Files.lines(log())) {
            return lines.filter(line -> line.contains(" ERROR ") || line.contains(" FATAL "))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(description());
        removeBrokers();
        channel.close();
    }

    private void removeBrokers() throws IOException {
        if (Files.exists(brokers())) {
            try (Stream<Path> found = Files.walk(brokers())) {
                for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
