package dev.streamconnect.camel.replication;

import dev.streamconnect.spi.RowSelector;
import dev.streamconnect.spi.StoreUnavailableException;
import dev.streamconnect.spi.StoredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.camel.Exchange;
import org.apache.camel.StreamCache;

/**
 * Rows of the undelivered store as JSON lines. Memory holds a page of rows without payload, and one
 * row with it. A stream cache of Camel's by itself, or Camel would read all of it into memory:
 * after {@link #reset} it is read from the store anew. For one thread at a time.
 */
final class ExportStream extends InputStream implements StreamCache {

    private static final int PAGE = 500;

    private final UndeliveredStore store;
    private final RowSelector selector;
    private final boolean payload;
    private final Deque<StoredMessage> page = new ArrayDeque<>();
    private long after;
    private boolean atEnd;
    private byte[] line = new byte[0];
    private int next;
    private long position;

    /**
     * Reads the first page.
     *
     * @throws StoreUnavailableException if the store is away
     */
    ExportStream(UndeliveredStore store, RowSelector selector, boolean payload) {
        this.store = store;
        this.selector = selector;
        this.payload = payload;
        fill();
    }

    private void fill() {
        List<StoredMessage> rows = store.list(selector, after, PAGE);
        page.addAll(rows);
        atEnd = rows.size() < PAGE;
        after = rows.isEmpty() ? after : rows.get(rows.size() - 1).id();
    }

    /** Makes a line available; false at the end. */
    private boolean hasLine() throws IOException {
        try {
            while (next == line.length) {
                if (page.isEmpty() && !atEnd) {
                    fill();
                }
                if (page.isEmpty()) {
                    return false;
                }
                withPayload(page.remove()).ifPresent(this::begin);
            }
            return true;
        } catch (StoreUnavailableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Empty if the row was delivered meanwhile. */
    private Optional<StoredMessage> withPayload(StoredMessage row) {
        return payload ? store.show(row.id()) : Optional.of(row);
    }

    private void begin(StoredMessage row) {
        String json = StoredMessageJson.of(row, payload).toString();
        line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        next = 0;
    }

    @Override
    public int read() throws IOException {
        if (!hasLine()) {
            return -1;
        }
        position++;
        return line[next++] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (!hasLine()) {
            return -1;
        }
        int count = Math.min(length, line.length - next);
        System.arraycopy(line, next, target, offset, count);
        next += count;
        position += count;
        return count;
    }

    @Override
    public void reset() {
        if (position == 0) {
            return;
        }
        page.clear();
        after = 0;
        atEnd = false;
        line = new byte[0];
        next = 0;
        position = 0;
    }

    @Override
    public void writeTo(OutputStream target) throws IOException {
        transferTo(target);
    }

    @Override
    public StreamCache copy(Exchange exchange) {
        return new ExportStream(store, selector, payload);
    }

    @Override
    public boolean inMemory() {
        return false;
    }

    /** Unknown before the end. */
    @Override
    public long length() {
        return 0;
    }

    @Override
    public long position() {
        return position;
    }

    /** Shows no row. */
    @Override
    public String toString() {
        return "export of undelivered messages";
    }
}
