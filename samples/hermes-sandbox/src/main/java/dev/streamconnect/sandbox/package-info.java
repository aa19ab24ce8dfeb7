/** A local Hermes in one process: brokers, gateway, certificates, files and a control port. */
package dev.streamconnect.sandbox;
