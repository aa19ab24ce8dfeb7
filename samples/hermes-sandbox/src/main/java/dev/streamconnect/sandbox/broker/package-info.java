/** Real Kafka brokers in this process: three clusters, their settings, rights and topics. */
package dev.streamconnect.sandbox.broker;
