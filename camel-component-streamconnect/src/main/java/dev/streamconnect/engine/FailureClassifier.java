package dev.streamconnect.engine;

import dev.streamconnect.cluster.Causes;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
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

    private static final List<Class<? extends ApiException>> OF_THE_MESSAGE =
            List.of(
                    RecordTooLargeException.class,
                    RecordBatchTooLargeException.class,
                    InvalidTimestampException.class,
                    InvalidRecordException.class,
                    UnsupportedCompressionTypeException.class,
                    UnsupportedForMessageFormatException.class);

    private static final List<Class<? extends ApiException>> OF_THE_CLIENT =
            List.of(
                    ProducerFencedException.class,
                    InvalidProducerEpochException.class,
                    OutOfOrderSequenceException.class,
                    InvalidPidMappingException.class,
                    TransactionAbortedException.class,
                    FencedInstanceIdException.class,
                    UnsupportedVersionException.class);

    private FailureClassifier() {}

    /**
     * Classifies what a client threw or completed with.
     *
     * @param where topic and connection, for the reason
     */
    static FailureVerdict classify(String where, Throwable error) {
        Throwable cause = unwrapped(error);
        String reason = where + ": " + Causes.shortest(cause);
        if (hasCause(cause, UnknownTopicOrPartitionException.class)
                || hasCause(cause, UnknownTopicIdException.class)
                || cause instanceof InvalidTopicException) {
            return new FailureVerdict.TopicMissing(reason);
        }
        if (hasCause(cause, AuthenticationException.class)
                || hasCause(cause, AuthorizationException.class)
                || cause instanceof SecurityDisabledException) {
            return new FailureVerdict.Unauthorized(reason);
        }
        if (cause instanceof SerializationException || isOneOf(cause, OF_THE_MESSAGE)) {
            return new FailureVerdict.MessageRefused(reason);
        }
        if (isOneOf(cause, OF_THE_CLIENT) || cause instanceof IllegalStateException) {
            return new FailureVerdict.ClientFatal(reason);
        }
        return new FailureVerdict.Transient(reason);
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
