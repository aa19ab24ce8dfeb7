/** Processes of this machine: started, looked at, stopped. */
package dev.streamconnect.benchmark.process;
