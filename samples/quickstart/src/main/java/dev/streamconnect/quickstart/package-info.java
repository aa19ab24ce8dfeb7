/**
 * The quickstart: starts a local Hermes and the replicator as processes of their own, sends traffic
 * to the local Kafka, and compares what arrives at Hermes with what was sent. Traffic and
 * comparison use plain Kafka clients and nothing of the component.
 */
package dev.streamconnect.quickstart;
