/**
 * What the two schemes share: the engine of a context, the way from a record to an exchange and
 * back, and how the end of an exchange settles a delivery.
 */
package dev.streamconnect.camel;
