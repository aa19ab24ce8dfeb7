package dev.streamconnect.camel.replication;

import dev.streamconnect.camel.AsyncSend;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.HeaderNames;
import dev.streamconnect.camel.NotStartedException;
import dev.streamconnect.camel.OutgoingRecords;
import dev.streamconnect.camel.SentHeaders;
import dev.streamconnect.camel.SourceMessage;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.engine.Delivery;
import dev.streamconnect.engine.Destination;
import dev.streamconnect.engine.LinkLog;
import dev.streamconnect.engine.OutgoingRecord;
import dev.streamconnect.engine.RecordBatch;
import dev.streamconnect.engine.SendResult;
import dev.streamconnect.record.TopicReplication;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.support.DefaultAsyncProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the destination side of a topic replication. What belongs to an open delivery of the same
 * topic replication is emitted into it and leaves in source order; everything else is sent at once,
 * and the exchange goes on at the acknowledgement.
 */
final class ReplicationProducer extends DefaultAsyncProducer {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicationProducer.class);

    private final ReplicationEndpoint endpoint;
    private final OutgoingRecords records;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final Set<String> strangers = ConcurrentHashMap.newKeySet();
    private TopicReplicationLinks madeFor;
    private Aim aim;
    private Destination destination;
    private AsyncSend sender;

    /** Where a topic replication sends to. */
    private record Aim(ConnectionSettings connection, String topic, int maxMessageBytes) {}

    ReplicationProducer(ReplicationEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
        this.records = OutgoingRecords.of(endpoint.getCamelContext(), HeaderNames.REPLICATION);
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        try {
            if (!isStarted()) {
                throw new NotStartedException("replication:" + endpoint.getId());
            }
            SourceMessage source = SourceMessage.of(exchange);
            Delivery delivery = source == null ? null : source.delivery();
            boolean own = delivery != null && delivery.linkId().equals(endpoint.getId());
            if (exchange.getMessage().getBody() instanceof RecordBatch batch) {
                if (own && delivery.emitBatch(batch)) {
                    callback.done(true);
                    return true;
                }
                warn(delivery, own);
                AsyncSend direct = sender();
                return settle(direct, direct.start(batch), exchange, callback);
            }
            OutgoingRecord outgoing = records.from(exchange);
            if (own && delivery.emit(outgoing)) {
                callback.done(true);
                return true;
            }
            warn(delivery, own);
            AsyncSend direct = sender();
            return settle(direct, direct.start(outgoing), exchange, callback);
        } catch (RuntimeException e) {
            exchange.setException(e);
            callback.done(true);
            return true;
        }
    }

    private static boolean settle(
            AsyncSend direct,
            CompletableFuture<SendResult> sending,
            Exchange exchange,
            AsyncCallback callback) {
        return direct.settle(
                sending,
                exchange,
                callback,
                result -> SentHeaders.setUndelivered(exchange, HeaderNames.REPLICATION, result));
    }

    private void warn(Delivery delivery, boolean own) {
        if (delivery != null && !own) {
            warnOfStranger(delivery.linkId());
            return;
        }
        if (!warned.compareAndSet(false, true)) {
            return;
        }
        if (own) {
            new LinkLog(LOG, endpoint.getId())
                    .warn(
                            "replication:{}: a message came here after its source was settled, as after aggregate or wireTap:"
                                    + " it is sent directly, and a crash before the acknowledgement loses it",
                            endpoint.getId());
        } else {
            new LinkLog(LOG, endpoint.getId())
                    .warn(
                            "replication:{}: a message came from elsewhere than this topic replication: it is sent directly,"
                                    + " without the tracking of its source",
                            endpoint.getId());
        }
    }

    /** Once for each: fine as a second destination, but also what a slip in the id looks like. */
    private void warnOfStranger(String source) {
        if (strangers.add(source)) {
            new LinkLog(LOG, endpoint.getId())
                    .warn(
                            "replication:{}: a message of {} came here: it is sent directly, neither in the order of its source"
                                    + " nor counted there; what {} itself should copy goes to replication:{}",
                            endpoint.getId(),
                            source,
                            source,
                            source);
        }
    }

    /** The sender; another one where a change of the records has moved the destination. */
    private synchronized AsyncSend sender() {
        ReplicationComponent component = endpoint.component();
        TopicReplicationLinks links = component.links();
        if (links != madeFor) {
            TopicReplication replication = component.activeReplication(endpoint.getId());
            Aim wanted =
                    new Aim(
                            links.destination(replication),
                            links.destinationTopic(replication),
                            links.maxMessageBytes(replication));
            if (!wanted.equals(aim)) {
                closeSender();
                open(wanted);
            }
            madeFor = links;
        }
        return sender;
    }

    private void open(Aim wanted) {
        ContextEngine context = ContextEngine.of(getEndpoint().getCamelContext());
        destination =
                context.engine()
                        .destination(
                                wanted.connection(),
                                wanted.topic(),
                                wanted.maxMessageBytes(),
                                true);
        sender = new AsyncSend(destination, wanted.topic(), context.continuations());
        aim = wanted;
    }

    private synchronized void closeSender() {
        Destination closing = destination;
        madeFor = null;
        aim = null;
        destination = null;
        sender = null;
        if (closing != null) {
            closing.close();
        }
    }

    @Override
    protected void doStop() throws Exception {
        closeSender();
        super.doStop();
    }
}
