package dev.streamconnect.undelivered;

import dev.streamconnect.spi.StoredHeader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Headers as one column: a version byte, then for each header the length and bytes of its name and
 * of its value, in order. A length of -1 is a null value.
 */
final class HeaderBytes {

    private static final byte VERSION = 1;
    private static final int NULL = -1;

    private HeaderBytes() {}

    /** Null for no headers. */
    static byte[] encode(List<StoredHeader> headers) {
        if (headers.isEmpty()) {
            return null;
        }
        List<byte[]> parts = new ArrayList<>(headers.size() * 2);
        int size = 1;
        for (StoredHeader header : headers) {
            byte[] name = header.name().getBytes(StandardCharsets.UTF_8);
            parts.add(name);
            parts.add(header.value());
            size += 2 * Integer.BYTES + name.length;
            size += header.value() == null ? 0 : header.value().length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size).put(VERSION);
        for (byte[] part : parts) {
            bytes.putInt(part == null ? NULL : part.length);
            if (part != null) {
                bytes.put(part);
            }
        }
        return bytes.array();
    }

    static List<StoredHeader> decode(byte[] column) {
        if (column == null) {
            return List.of();
        }
        ByteBuffer bytes = ByteBuffer.wrap(column);
        byte version = bytes.get();
        if (version != VERSION) {
            throw new IllegalStateException("headers of an unknown version: " + version);
        }
        List<StoredHeader> headers = new ArrayList<>();
        while (bytes.hasRemaining()) {
            String name = new String(part(bytes), StandardCharsets.UTF_8);
            headers.add(new StoredHeader(name, part(bytes)));
        }
        return headers;
    }

    private static byte[] part(ByteBuffer bytes) {
        int length = bytes.getInt();
        if (length == NULL) {
            return null;
        }
        byte[] part = new byte[length];
        bytes.get(part);
        return part;
    }
}
