/** A launcher for Camel Main that says in one line why it cannot start. */
package dev.streamconnect.camel.main;
