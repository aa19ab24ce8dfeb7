package dev.streamconnect.engine;

import dev.streamconnect.spi.Reason;

/**
 * Why a destination's contract does not allow a message.
 *
 * @param kind what is wrong with it
 * @param text one line, with the limit
 */
record Refusal(Reason kind, String text) {}
