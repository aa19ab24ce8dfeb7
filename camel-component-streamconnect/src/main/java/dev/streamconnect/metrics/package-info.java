/**
 * Counters of topic replications that only grow, and the windows that are their differences. Knows
 * neither the engine nor Camel.
 */
package dev.streamconnect.metrics;
