/** Starts a Camel context in Apache Karaf from a folder of its configuration. */
package dev.streamconnect.karaf;
