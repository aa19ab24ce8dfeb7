/**
 * The TCP gateway that owns the public ports, and the faults it can be told to have. It never ends
 * TLS.
 */
package dev.streamconnect.sandbox.gateway;
