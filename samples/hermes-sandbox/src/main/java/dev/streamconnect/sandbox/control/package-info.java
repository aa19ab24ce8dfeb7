/**
 * The HTTP control port on loopback: faults, brokers, topics, rights and certificates on demand.
 */
package dev.streamconnect.sandbox.control;
