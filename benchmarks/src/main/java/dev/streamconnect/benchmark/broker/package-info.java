/** The brokers: one for the source, one for the destination, each a process of its own. */
package dev.streamconnect.benchmark.broker;
