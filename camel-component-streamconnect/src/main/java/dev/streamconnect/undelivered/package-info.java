/** Undelivered messages and metrics windows in a database: embedded H2 or PostgreSQL. */
package dev.streamconnect.undelivered;
