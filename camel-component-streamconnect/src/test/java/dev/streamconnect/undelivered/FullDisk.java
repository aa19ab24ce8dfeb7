package dev.streamconnect.undelivered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** A file system of H2's that may be full: paths that begin with its scheme. */
public final class FullDisk extends FilePathWrapper {

    static final String SCHEME = "fulldisk";
    static final String ANSWER = "No space left on device";

    static volatile boolean full;

    /** Makes it known to H2; before a URL with its scheme. */
    static void register() {
        FilePath.register(new FullDisk());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Channel(super.open(mode));
    }

    private static final class Channel extends FileBase {

        private final FileChannel file;

        Channel(FileChannel file) {
            this.file = file;
        }

        private static void checkSpace() throws IOException {
            if (full) {
                throw new IOException(ANSWER);
            }
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            checkSpace();
            return file.write(from);
        }

        @Override
        public synchronized int write(ByteBuffer from, long position) throws IOException {
            checkSpace();
            return file.write(from, position);
        }

        @Override
        public int read(ByteBuffer to) throws IOException {
            return file.read(to);
        }

        @Override
        public synchronized int read(ByteBuffer to, long position) throws IOException {
            return file.read(to, position);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force(metaData);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
