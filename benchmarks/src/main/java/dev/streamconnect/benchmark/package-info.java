/** Measures this project and its peers on the same brokers. */
package dev.streamconnect.benchmark;
