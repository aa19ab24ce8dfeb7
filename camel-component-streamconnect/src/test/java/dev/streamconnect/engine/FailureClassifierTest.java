package dev.streamconnect.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.streamconnect.cluster.ClientRole;
import dev.streamconnect.cluster.ConnectionSettings;
import dev.streamconnect.cluster.TlsMaterial;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.FencedLeaderEpochException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.IllegalSaslStateException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotCoordinatorException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.ThrottlingQuotaExceededException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownLeaderEpochException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownProducerIdException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedSaslMechanismException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FailureClassifierTest {

    private static final Class<?> TRANSIENT = FailureVerdict.Transient.class;
    private static final Class<?> REFUSED = FailureVerdict.MessageRefused.class;
    private static final Class<?> FORBIDDEN = FailureVerdict.Unauthorized.class;
    private static final Class<?> MISSING = FailureVerdict.TopicMissing.class;
    private static final Class<?> FATAL = FailureVerdict.ClientFatal.class;

    static Stream<Arguments> verdicts() {
        return Stream.of(
                // passes by itself
                arguments(new TimeoutException("t"), TRANSIENT),
                arguments(new BufferExhaustedException("t"), TRANSIENT),
                arguments(new NetworkException("t"), TRANSIENT),
                arguments(new DisconnectException("t"), TRANSIENT),
                arguments(new NotLeaderOrFollowerException("t"), TRANSIENT),
                arguments(new LeaderNotAvailableException("t"), TRANSIENT),
                arguments(new ReplicaNotAvailableException("t"), TRANSIENT),
                arguments(new UnknownLeaderEpochException("t"), TRANSIENT),
                arguments(new FencedLeaderEpochException("t"), TRANSIENT),
                arguments(new NotEnoughReplicasException("t"), TRANSIENT),
                arguments(new NotEnoughReplicasAfterAppendException("t"), TRANSIENT),
                arguments(new CoordinatorNotAvailableException("t"), TRANSIENT),
                arguments(new CoordinatorLoadInProgressException("t"), TRANSIENT),
                arguments(new NotCoordinatorException("t"), TRANSIENT),
                arguments(new KafkaStorageException("t"), TRANSIENT),
                arguments(new CorruptRecordException("t"), TRANSIENT),
                arguments(new ThrottlingQuotaExceededException("t"), TRANSIENT),
                arguments(new UnknownServerException("t"), TRANSIENT),
                arguments(new RebalanceInProgressException("t"), TRANSIENT),
                arguments(new UnknownMemberIdException("t"), TRANSIENT),
                arguments(new IllegalGenerationException("t"), TRANSIENT),
                arguments(new CommitFailedException("t"), TRANSIENT),
                arguments(new RetriableCommitFailedException("t"), TRANSIENT),
                arguments(new PolicyViolationException("t"), TRANSIENT),
                arguments(new KafkaException("neighbour"), TRANSIENT),
                arguments(new RuntimeException("t"), TRANSIENT),
                // of the message
                arguments(new RecordTooLargeException("t"), REFUSED),
                arguments(new RecordBatchTooLargeException("t"), REFUSED),
                arguments(new InvalidTimestampException("t"), REFUSED),
                arguments(new InvalidRecordException("t"), REFUSED),
                arguments(new UnsupportedCompressionTypeException("t"), REFUSED),
                arguments(new UnsupportedForMessageFormatException("t"), REFUSED),
                arguments(new SerializationException("t"), REFUSED),
                // a right, a password, a certificate
                arguments(new TopicAuthorizationException(Set.of("t")), FORBIDDEN),
                arguments(new GroupAuthorizationException("g"), FORBIDDEN),
                arguments(new ClusterAuthorizationException("t"), FORBIDDEN),
                arguments(new TransactionalIdAuthorizationException("t"), FORBIDDEN),
                arguments(new SaslAuthenticationException("t"), FORBIDDEN),
                arguments(new SslAuthenticationException("t"), FORBIDDEN),
                arguments(new IllegalSaslStateException("t"), FORBIDDEN),
                arguments(new UnsupportedSaslMechanismException("t"), FORBIDDEN),
                arguments(new SecurityDisabledException("t"), FORBIDDEN),
                arguments(
                        new KafkaException("wrapped", new SslAuthenticationException("t")),
                        FORBIDDEN),
                // the topic is not there
                arguments(new UnknownTopicOrPartitionException("t"), MISSING),
                arguments(new UnknownTopicIdException("t"), MISSING),
                arguments(new InvalidTopicException("t"), MISSING),
                arguments(
                        new TimeoutException("t", new UnknownTopicOrPartitionException("t")),
                        MISSING),
                // the client can't go on
                arguments(new ProducerFencedException("t"), FATAL),
                arguments(new InvalidProducerEpochException("t"), FATAL),
                arguments(new OutOfOrderSequenceException("t"), FATAL),
                arguments(new UnknownProducerIdException("t"), FATAL),
                arguments(new InvalidPidMappingException("t"), FATAL),
                arguments(new TransactionAbortedException(), FATAL),
                arguments(new FencedInstanceIdException("t"), FATAL),
                arguments(new UnsupportedVersionException("t"), FATAL),
                arguments(new IllegalStateException("closed"), FATAL));
    }

    @ParameterizedTest
    @MethodSource("verdicts")
    @Tag("case-F17")
    @DisplayName("each failure goes where the design says, bare or wrapped by a future")
    void classifies(Exception error, Class<?> expected) {
        for (Throwable each :
                List.of(
                        error,
                        new ExecutionException(error),
                        new CompletionException(error),
                        new CompletionException(new ExecutionException(error)))) {
            FailureVerdict verdict = FailureClassifier.classify("topic t at plant", each);
            assertThat(verdict).isInstanceOf(expected);
            assertThat(verdict.reason()).startsWith("topic t at plant: ").doesNotContain("\n");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "PLAIN, sasl.username or sasl.password, clientId",
        "SCRAM-SHA-512, sasl.username or sasl.password, clientId",
        "OAUTHBEARER, 'sasl.clientId, sasl.clientSecret or sasl.scope', sasl.username"
    })
    @DisplayName("a refused user: the broker's words, and the fields of the mechanism in use alone")
    void refusedUser(String mechanism, String fields, String others) {
        FailureVerdict verdict =
                FailureClassifier.classify(
                        "t at plant",
                        plant(Map.of("sasl.mechanism", mechanism)),
                        new SaslAuthenticationException("Invalid username or password"));
        assertThat(verdict.reason())
                .contains("Invalid username or password", "; correct " + fields)
                .doesNotContain(others);
    }

    @Test
    @DisplayName("a certificate that is wanted and not given: the fields that give one")
    void noCertificate() {
        FailureVerdict verdict =
                FailureClassifier.classify(
                        "t at plant",
                        plant(Map.of("security.protocol", "SSL")).with(TlsMaterial.none()),
                        new SslAuthenticationException("SSL handshake failed"));
        assertThat(verdict.reason())
                .contains("wants a client certificate and none is given", "ssl.keystoreLocation");
    }

    private static ConnectionSettings plant(Map<String, Object> properties) {
        return new ConnectionSettings("plant", ClientRole.CUSTOMER, "h:1", null, properties);
    }

    @Test
    @Tag("case-S15")
    @DisplayName("S15: a broker that is too old is told with the release that it should have")
    void tooOld() {
        Exception error =
                new ExecutionException(
                        new UnsupportedVersionException("The broker does not support JOIN_GROUP"));
        assertThat(FailureClassifier.classify("plant (h:1)", error).reason())
                .startsWith("plant (h:1): the broker is too old: broker < 2.1, or < 2.3")
                .contains("upgrade it to Kafka 2.3 or newer")
                .endsWith("The broker does not support JOIN_GROUP");
    }

    @Test
    @Tag("case-H13")
    @DisplayName("a missing topic is told in words that say what to do, not in the broker's")
    void missingTopic() {
        String reason =
                FailureClassifier.classify(
                                "topic t at plant",
                                new ExecutionException(
                                        new UnknownTopicOrPartitionException(
                                                "This server does not host this topic-partition.")))
                        .reason();
        assertThat(reason).isEqualTo("topic t at plant: the topic is not there; create it there");
    }

    @Test
    @DisplayName("a batch neighbour is exactly a KafkaException, never one of its kinds")
    void neighbour() {
        assertThat(FailureClassifier.isBatchNeighbour(new KafkaException("t"))).isTrue();
        assertThat(
                        FailureClassifier.isBatchNeighbour(
                                new ExecutionException(new KafkaException("t"))))
                .isTrue();
        assertThat(FailureClassifier.isBatchNeighbour(new InvalidRecordException("t"))).isFalse();
        assertThat(FailureClassifier.isBatchNeighbour(new TimeoutException("t"))).isFalse();
        assertThat(FailureClassifier.isBatchNeighbour(new RuntimeException("t"))).isFalse();
    }

    @Test
    @DisplayName("a chain of causes that bites its own tail ends")
    void endlessCauses() {
        RuntimeException a = new RuntimeException("a");
        RuntimeException b = new RuntimeException("b", a);
        a.initCause(b);
        assertThat(FailureClassifier.classify("x", a)).isInstanceOf(TRANSIENT);
    }
}
