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
 * producer's life, {@code DestinationProbe} and {@code DestinationTopic} the state of the topics;
 * {@code SlowTopics} tells who is slow, and {@code OwnClients} moves them.
 *
 * <p>Of a source client, {@code SourcePoller} has the poll thread and its failures, {@code
 * SourceConsumer} the consumer and its wake-ups, {@code SourceSubscription} and {@code
 * SourceAssignment} what is read, {@code SourcePositions} where reading goes on, {@code
 * SourceCommits} what is committed, {@code SourceLag} what waits.
 */
package dev.streamconnect.engine;
