package dev.streamconnect.metrics;

import dev.streamconnect.metrics.ClosedWindows.Numbered;
import dev.streamconnect.spi.MetricsRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Hands out each closed window of this node once. It begins with what is in memory at its first
 * call. A window that leaves the memory before it was asked for is not handed out any more; the
 * store still has it. Thread-safe.
 */
public final class WindowReader {

    private final ClosedWindows windows;
    private final Predicate<String> ids;
    private final Set<Long> givenBack = new HashSet<>();
    private long next;

    WindowReader(ClosedWindows windows, Predicate<String> ids) {
        this.windows = windows;
        this.ids = ids;
    }

    /** Windows in somebody's hands; nobody else gets them unless they are given back. */
    public final class HandOut {

        private final List<Numbered> numbered;
        private boolean back;

        private HandOut(List<Numbered> numbered) {
            this.numbered = numbered;
        }

        /** In the order in which they were closed; may be empty. */
        public List<MetricsRecord> windows() {
            return numbered.stream().map(Numbered::window).toList();
        }

        /** They were not used: the next call gets them, too. Idempotent. */
        public void giveBack() {
            synchronized (WindowReader.this) {
                if (!back) {
                    back = true;
                    numbered.forEach(each -> givenBack.add(each.number()));
                }
            }
        }
    }

    /** Takes all that nobody has. */
    public synchronized HandOut take() {
        long from = next;
        Predicate<Numbered> wanted =
                each ->
                        (each.number() >= from || givenBack.contains(each.number()))
                                && ids.test(each.window().channelReplication());
        List<Numbered> taken = windows.find(wanted);
        if (!taken.isEmpty()) {
            next = Math.max(next, taken.get(taken.size() - 1).number() + 1);
        }
        givenBack.clear();
        return new HandOut(taken);
    }
}
