package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsPortException;
import dev.streamconnect.cluster.TokenException;
import dev.streamconnect.cluster.UnresolvedHostException;
import dev.streamconnect.spi.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The one place that decides where a failure goes, by class and cause, never by text. */
final class FailureClassifier {

    private static final Map<Class<? extends KafkaException>, Reason> OF_THE_MESSAGE =
            Map.of(
                    RecordTooLargeException.class, Reason.SIZE,
                    RecordBatchTooLargeException.class, Reason.SIZE,
                    InvalidTimestampException.class, Reason.TIMESTAMP,
                    InvalidRecordException.class, Reason.REFUSED,
                    UnsupportedCompressionTypeException.class, Reason.FORMAT,
                    UnsupportedForMessageFormatException.class, Reason.FORMAT,
                    SerializationException.class, Reason.SERIALIZATION);

    private static final List<Class<? extends ApiException>> OF_THE_CLIENT =
            List.of(
                    ProducerFencedException.class,
                    InvalidProducerEpochException.class,
                    OutOfOrderSequenceException.class,
                    InvalidPidMappingException.class,
                    TransactionAbortedException.class,
                    FencedInstanceIdException.class,
                    UnsupportedVersionException.class);

    /** The client does not say which release it wants. */
    private static final String TOO_OLD =
            "the broker is too old: broker < 2.1, or < 2.3 where messages are read; upgrade it to"
                    + " Kafka 2.3 or newer: ";

    private FailureClassifier() {}

    /** True if a broker does not know a request that this client needs. */
    static boolean isTooOld(Throwable error) {
        return hasCause(error, UnsupportedVersionException.class);
    }

    /** True if an idempotent producer lacks the right to be one; no other request needs it. */
    static boolean isIdempotenceDenied(Throwable error) {
        return hasCause(error, ClusterAuthorizationException.class);
    }

    /**
     * Classifies what a client threw or completed with.
     *
     * @param where topic and connection, for the reason
     */
    static FailureVerdict classify(String where, Throwable error) {
        return classify(where, error, null, "");
    }

    /**
     * As {@link #classify(String, Throwable)}, and says of a failed handshake which certificate it
     * is about, of another refusal which options of the connection to look at.
     *
     * @param settings of the connection
     */
    static FailureVerdict classify(String where, ConnectionSettings settings, Throwable error) {
        String handshake = CertificateRefusal.explain(settings, error, Instant.now());
        String mend = handshake == null ? AuthenticationMend.of(error, settings) : "";
        return classify(where, error, handshake, mend);
    }

    private static FailureVerdict classify(
            String where, Throwable error, String handshake, String mend) {
        Throwable cause = unwrapped(error);
        if (cause instanceof TokenException token) {
            return token.isRefusal()
                    ? new FailureVerdict.Unauthorized(token.getMessage())
                    : new FailureVerdict.Transient(token.getMessage());
        }
        String reason =
                cause instanceof UnresolvedHostException || cause instanceof TlsPortException
                        ? cause.getMessage()
                        : where
                                + ": "
                                + (isTooOld(cause) ? TOO_OLD : "")
                                + (handshake == null ? Causes.shortest(cause) : handshake)
                                + mend;
        if (hasCause(cause, UnknownTopicOrPartitionException.class)
                || hasCause(cause, UnknownTopicIdException.class)) {
            return new FailureVerdict.TopicMissing(
                    where + ": the topic is not there; create it there");
        }
        if (cause instanceof InvalidTopicException) {
            return new FailureVerdict.TopicMissing(reason);
        }
        if (hasCause(cause, AuthenticationException.class)
                || hasCause(cause, AuthorizationException.class)
                || cause instanceof SecurityDisabledException
                || cause instanceof TlsPortException) {
            return new FailureVerdict.Unauthorized(reason);
        }
        String missingCodec = MissingCodec.explain(cause);
        if (missingCodec != null) {
            return new FailureVerdict.Unreadable(where + ": " + missingCodec);
        }
        Reason ofTheMessage = ofTheMessage(cause);
        if (ofTheMessage != null) {
            return new FailureVerdict.MessageRefused(
                    reason, ofTheMessage, cause.getClass().getName());
        }
        if (isOneOf(cause, OF_THE_CLIENT) || cause instanceof IllegalStateException) {
            return new FailureVerdict.ClientFatal(reason);
        }
        return new FailureVerdict.Transient(reason);
    }

    /** Null if the fault is not one of the message. */
    private static Reason ofTheMessage(Throwable cause) {
        for (Class<?> type = cause.getClass(); type != null; type = type.getSuperclass()) {
            if (OF_THE_MESSAGE.containsKey(type)) {
                return OF_THE_MESSAGE.get(type);
            }
        }
        return null;
    }

    /** True for what a batch neighbour of a refused record gets: no fault of its own. */
    static boolean isBatchNeighbour(Throwable error) {
        return unwrapped(error).getClass() == KafkaException.class;
    }

    private static Throwable unwrapped(Throwable error) {
        Throwable at = error;
        while ((at instanceof ExecutionException || at instanceof CompletionException)
                && at.getCause() != null) {
            at = at.getCause();
        }
        return at;
    }

    private static boolean isOneOf(Throwable error, List<Class<? extends ApiException>> types) {
        return types.stream().anyMatch(type -> type.isInstance(error));
    }

    private static boolean hasCause(Throwable error, Class<? extends Throwable> type) {
        Throwable at = error;
        for (int depth = 0; at != null && depth < 10; depth++) {
            if (type.isInstance(at)) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }
}
