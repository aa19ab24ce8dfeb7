package dev.streamconnect.it;

import dev.streamconnect.spi.MessageOrigin;
import dev.streamconnect.spi.UndeliveredMessage;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import dev.streamconnect.undelivered.UndeliveredDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Ends the JVM of a replicator at a chosen moment, as {@code kill -9} would: no hook runs, nothing
 * is closed. The moment and its number are system properties of that JVM. It is seen from outside
 * the component: by a store around the real one, and by interceptors of Kafka's clients.
 */
public final class ChosenKill {

    /**
     * Where a life ends. Those without a retry count from the life's first commit on, so that each
     * life gets on a bit.
     */
    enum Moment {
        /** A call has stored messages and returned; nothing knows of it yet. */
        STORED,
        /** What was stored is settled and not committed; the next messages are about to follow. */
        STORED_NOT_COMMITTED,
        /** The destination has acknowledged, and nobody was told. */
        ACKNOWLEDGED,
        /** A retry has read rows and sent none of them. */
        RETRY_READ,
        /** The destination has the rows of a retry, and they are still in the store. */
        RETRY_DELIVERED,
        /** They are no longer in the store. */
        RETRY_REMOVED,
        /** The destination has refused rows again, and that is not noted. */
        RETRY_REFUSED
    }

    /** Exit code of a JVM that ended so. */
    static final int EXIT = 77;

    private static final String STORE = "kill.store";
    private static final String MOMENT = "kill.moment";
    private static final String NUMBER = "kill.number";

    private static final String chosen = System.getProperty(MOMENT, "");
    private static final AtomicInteger left = new AtomicInteger(Integer.getInteger(NUMBER, 0));
    private static final Set<MessageOrigin> notCommitted = ConcurrentHashMap.newKeySet();
    private static volatile boolean committed;

    private ChosenKill() {}

    /**
     * JVM options of a life that ends at the nth time of a moment.
     *
     * @param url JDBC URL of the store
     */
    static List<String> options(String url, Moment moment, int number) {
        return List.of(
                "-D" + STORE + "=" + url,
                "-D" + MOMENT + "=" + moment,
                "-D" + NUMBER + "=" + number);
    }

    /** JVM options of a life that ends when it is told. */
    static List<String> options(String url) {
        return List.of("-D" + STORE + "=" + url);
    }

    /** The settings that let the moments be seen. */
    static ReplicatorSettings watch(ReplicatorSettings settings) {
        return settings.connectionProperty("interceptor.classes", OfCommits.class.getName())
                .set(
                        "camel.component.hermes.producerProperties[interceptor.classes]",
                        OfAcknowledgements.class.getName());
    }

    /** The store of this JVM, or null if it is not told one. */
    static UndeliveredStore store() {
        String url = System.getProperty(STORE);
        return url == null
                ? null
                : around(
                        UndeliveredDatabase.open(url, null, null)
                                .undeliveredStore(StoreLimits.DEFAULT));
    }

    private static void reached(Moment moment) {
        boolean counts = committed || moment.name().startsWith("RETRY");
        if (chosen.equals(moment.name()) && counts && left.decrementAndGet() == 0) {
            Runtime.getRuntime().halt(EXIT);
        }
    }

    private static UndeliveredStore around(UndeliveredStore store) {
        return (UndeliveredStore)
                Proxy.newProxyInstance(
                        ChosenKill.class.getClassLoader(),
                        new Class<?>[] {UndeliveredStore.class},
                        (proxy, method, arguments) -> {
                            before(method.getName(), arguments);
                            Object result;
                            try {
                                result = method.invoke(store, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                            after(method.getName(), arguments, result);
                            return result;
                        });
    }

    private static void before(String method, Object[] arguments) {
        if (method.equals("store") && notCommitted.contains(origin(arguments))) {
            reached(Moment.STORED_NOT_COMMITTED);
        } else if (method.equals("delivered")) {
            reached(Moment.RETRY_DELIVERED);
        } else if (method.equals("failed")) {
            reached(Moment.RETRY_REFUSED);
        }
    }

    private static void after(String method, Object[] arguments, Object result) {
        if (method.equals("store")) {
            notCommitted.add(origin(arguments));
            reached(Moment.STORED);
        } else if (method.equals("delivered")) {
            reached(Moment.RETRY_REMOVED);
        } else if (method.equals("due") && !((Collection<?>) result).isEmpty()) {
            reached(Moment.RETRY_READ);
        }
    }

    private static MessageOrigin origin(Object[] arguments) {
        return ((UndeliveredMessage) ((List<?>) arguments[0]).get(0)).origin();
    }

    /** Sees commits, on the source's poll thread. */
    public static final class OfCommits implements ConsumerInterceptor<byte[], byte[]> {

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {
            notCommitted.clear();
            committed = true;
        }

        @Override
        public void configure(Map<String, ?> properties) {
            // nothing to configure
        }

        @Override
        public void close() {
            // nothing to close
        }
    }

    /** Sees acknowledgements before the component does, on the producer's I/O thread. */
    public static final class OfAcknowledgements implements ProducerInterceptor<byte[], byte[]> {

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> message) {
            return message;
        }

        @Override
        public void onAcknowledgement(RecordMetadata place, Exception error) {
            if (error == null) {
                reached(Moment.ACKNOWLEDGED);
            }
        }

        @Override
        public void configure(Map<String, ?> properties) {
            // nothing to configure
        }

        @Override
        public void close() {
            // nothing to close
        }
    }
}
