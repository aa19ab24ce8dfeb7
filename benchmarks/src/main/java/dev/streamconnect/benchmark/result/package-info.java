/** What was measured, its statistics, and how it is written down. */
package dev.streamconnect.benchmark.result;
