/**
 * The scheme {@code hermes:} — topics of a ServiceNow instance, read from both sides and written to
 * the near one.
 */
package dev.streamconnect.camel.hermes;
