package dev.streamconnect.record;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Gets the text of a records file, with one fault where that cannot be. */
final class RecordsFile {

    /** Largest file read, in bytes. */
    static final int MAX_BYTES = 4 * 1024 * 1024;

    private RecordsFile() {}

    static String text(Path file) {
        String name = file.toString();
        if (Files.isDirectory(file)) {
            throw fault(name, RecordRule.FILE_UNREADABLE, "is a directory; name the file in it");
        }
        try (InputStream stream = Files.newInputStream(file)) {
            return text(stream, name);
        } catch (NoSuchFileException e) {
            throw fault(
                    name, RecordRule.FILE_UNREADABLE, "there is no such file; correct the path");
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    static String text(InputStream stream, String name) {
        byte[] bytes;
        try {
            bytes = stream.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw unreadable(name, e);
        }
        if (bytes.length > MAX_BYTES) {
            throw fault(
                    name,
                    RecordRule.FILE_TOO_LARGE,
                    "is larger than " + MAX_BYTES + " bytes; is it the right file?");
        }
        String text;
        try {
            text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)
                            .decode(ByteBuffer.wrap(bytes))
                            .toString();
        } catch (CharacterCodingException e) {
            throw fault(name, RecordRule.FILE_ENCODING, "is not UTF-8; save it as UTF-8");
        }
        text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (text.isBlank()) {
            throw empty(name);
        }
        return text;
    }

    static RecordsException empty(String name) {
        return fault(
                name, RecordRule.FILE_EMPTY, "is empty; start it with 'version: 1', see the docs");
    }

    private static RecordsException unreadable(String name, IOException e) {
        return fault(
                name,
                RecordRule.FILE_UNREADABLE,
                "cannot be read (" + e.getClass().getSimpleName() + "); check its rights");
    }

    private static RecordsException fault(String name, RecordRule rule, String message) {
        return Faults.single(name, 0, 0, rule, message);
    }
}
