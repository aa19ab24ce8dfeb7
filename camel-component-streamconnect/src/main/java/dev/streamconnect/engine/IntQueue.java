package dev.streamconnect.engine;

/** Numbers, first in, first out, without an object for each. Not thread-safe. */
final class IntQueue {

    /** Its length is a power of two. */
    private int[] ring = new int[1024];

    private int head;
    private int size;

    void add(int number) {
        if (size == ring.length) {
            grow();
        }
        ring[place(size)] = number;
        size++;
    }

    private void grow() {
        int[] grown = new int[2 * ring.length];
        for (int i = 0; i < size; i++) {
            grown[i] = get(i);
        }
        ring = grown;
        head = 0;
    }

    private int place(int index) {
        return (head + index) & (ring.length - 1);
    }

    /**
     * @param index counted from the first; there must be so many
     */
    int get(int index) {
        return ring[place(index)];
    }

    /** Takes the first; there must be one. */
    int poll() {
        int first = ring[head];
        head = place(1);
        size--;
        return first;
    }

    void clear() {
        head = 0;
        size = 0;
    }
}
