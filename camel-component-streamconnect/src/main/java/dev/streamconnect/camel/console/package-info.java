/** Health checks and the dev console: they read snapshots. */
package dev.streamconnect.camel.console;
