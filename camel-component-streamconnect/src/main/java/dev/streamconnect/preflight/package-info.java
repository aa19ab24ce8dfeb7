/**
 * Looks at each address, topic and right that replication records need, and says which stage of
 * which side fails. Knows no Camel.
 */
package dev.streamconnect.preflight;
