/**
 * What replicates, each in a process of its own. Nothing here needs a library that its contender
 * does not have.
 */
package dev.streamconnect.benchmark.contender;
