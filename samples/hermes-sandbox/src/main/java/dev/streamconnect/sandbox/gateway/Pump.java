package dev.streamconnect.sandbox.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Moves the bytes of one direction of a {@link Flow}. From the first delayed chunk on, all chunks
 * pass through a queue, so that a changed delay never reorders bytes; a full queue slows the sender
 * down.
 */
final class Pump {

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int QUEUED_CHUNKS = 512;
    private static final Chunk END = new Chunk(new byte[0], 0);

    private record Chunk(byte[] bytes, long dueNanos) {}

    private final Flow flow;
    private final Socket from;
    private final Socket to;
    private final String name;
    private BlockingQueue<Chunk> queue;

    /**
     * @param to null where there is no other end: all bytes are swallowed
     */
    Pump(Flow flow, Socket from, Socket to, String name) {
        this.flow = flow;
        this.from = from;
        this.to = to;
        this.name = name;
    }

    void start() {
        daemon(this::read, name);
    }

    private void read() {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                pass(buffer, count);
            }
            if (queue == null) {
                flow.ended(from);
            } else {
                queue.put(END);
            }
        } catch (IOException e) {
            flow.ended(from);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            flow.ended(from);
        }
    }

    private void pass(byte[] buffer, int count) throws IOException, InterruptedException {
        long delayMillis = flow.delayMillis();
        if (queue == null && delayMillis == 0) {
            deliver(buffer, count);
            return;
        }
        if (queue == null) {
            queue = new ArrayBlockingQueue<>(QUEUED_CHUNKS);
            BlockingQueue<Chunk> chunks = queue;
            daemon(() -> write(chunks), name + " delayed");
        }
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis);
        queue.put(new Chunk(Arrays.copyOf(buffer, count), due));
    }

    private void write(BlockingQueue<Chunk> chunks) {
        boolean open = true;
        try {
            for (Chunk chunk = chunks.take(); chunk != END; chunk = chunks.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
                if (open) {
                    open = tryDeliver(chunk.bytes());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        flow.ended(from);
    }

    /** Returns false once the other end is gone: the queue is then only drained. */
    private boolean tryDeliver(byte[] bytes) {
        try {
            deliver(bytes, bytes.length);
            return true;
        } catch (IOException e) {
            flow.ended(to);
            return false;
        }
    }

    private void deliver(byte[] bytes, int count) throws IOException {
        if (to == null || flow.swallows()) {
            return;
        }
        OutputStream out = to.getOutputStream();
        out.write(bytes, 0, count);
    }

    private static void daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
