package dev.streamconnect.benchmark;

import java.time.Duration;

/**
 * How long a run takes.
 *
 * @param warmUp from its first record; nothing is measured meanwhile
 * @param measured afterwards
 */
record Pace(Duration warmUp, Duration measured) {}
