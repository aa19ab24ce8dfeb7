/**
 * The scheme {@code replication:} — both ends of a topic replication, and the routes built from
 * replication records.
 */
package dev.streamconnect.camel.replication;
