/**
 * The links in motion: poll loop, the batch hot path, offsets, failure classification, status.
 * Knows Kafka, does not know Camel.
 *
 * <p>How a record travels: a {@code SourceClient} polls it and offers it to the {@code
 * PartitionFlow} of its partition; the flow cuts {@link dev.streamconnect.engine.Delivery
 * deliveries} and hands them, by its {@code FlowRoute}, to a {@link
 * dev.streamconnect.engine.DeliveryHandler} (a Camel route); what the route emits is released in
 * source-offset order, at most one unacknowledged {@code Shipment} per source partition, by its
 * {@code FlowShipping} to a {@code DestinationClient}; when everything below an offset is
 * acknowledged, the source client may commit it.
 *
 * <p>Of a destination client, {@code Outbox} has the shipments and their lock, {@code
 * ShipmentSender} the sender thread and what becomes of a chunk, {@code ProducerSupervisor} the
 * producer's life, {@code DestinationProbe} and {@code DestinationTopic} the state of the topics.
 */
package dev.streamconnect.engine;
