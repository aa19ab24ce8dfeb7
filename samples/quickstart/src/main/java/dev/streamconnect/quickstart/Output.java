package dev.streamconnect.quickstart;

import java.io.PrintStream;

/** Whole lines of several threads. Thread-safe. */
final class Output {

    private final PrintStream stream;

    Output(PrintStream stream) {
        this.stream = stream;
    }

    synchronized void line(String line) {
        stream.println(line);
        stream.flush();
    }
}
