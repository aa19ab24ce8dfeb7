package dev.streamconnect.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Writes files that only their owner may read and write ({@code rw-------}), whole or not at all: a
 * reader sees the old content or the new, never half of it. Where the file system has no POSIX
 * permissions, the folder's own rules hold.
 */
public final class OwnerOnlyFiles {

    private OwnerOnlyFiles() {}

    /** Writes or replaces a file. Its folder is made if it is missing. */
    public static void write(Path file, byte[] content) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh =
                Files.createTempFile(folder, "." + file.getFileName(), ".tmp", ownerOnly(folder));
        try {
            Files.write(fresh, content);
            Files.move(
                    fresh,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path folder) throws IOException {
        if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
            return new FileAttribute<?>[] {
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            };
        }
        return new FileAttribute<?>[0];
    }
}
