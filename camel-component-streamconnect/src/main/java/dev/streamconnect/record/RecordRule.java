package dev.streamconnect.record;

import java.util.Locale;

/** The rules of replication records. {@code docs/records.md} lists each by its id. */
public enum RecordRule {
    /** The file can be read: it exists, is a file, and may be read. */
    FILE_UNREADABLE,
    /** The file holds something. */
    FILE_EMPTY,
    /** The file is at most 4 MiB. */
    FILE_TOO_LARGE,
    /** The file is UTF-8. */
    FILE_ENCODING,
    /** The instance answers, in time and without an error of its own. */
    INSTANCE_UNREACHABLE,
    /** The instance lets the user read the tables, all rows of them. */
    INSTANCE_REFUSED,
    /** What the instance answers is of the Table API's form, whole, and not too large. */
    INSTANCE_ANSWER,
    /** The cache of the last good version is whole and of the same instance. */
    CACHE_UNUSABLE,
    /** The file is YAML, and plain: no tags, bounded depth and aliases, one document. */
    YAML_SYNTAX,
    /** A field stands once in its object. */
    DUPLICATE_FIELD,
    /** Each {@code {{placeholder}}} can be resolved. */
    UNRESOLVED_PLACEHOLDER,
    /** The version is one that this release reads. */
    UNSUPPORTED_VERSION,
    /** Each field is one that exists there. */
    UNKNOWN_FIELD,
    /** Each required field is there. */
    MISSING_FIELD,
    /** Each value has its field's type. */
    WRONG_TYPE,
    /** A value is one of those allowed. */
    WRONG_VALUE,
    /**
     * An id is made of letters, digits, '_' and '-': 100 characters at most for a connection, 200
     * for a topic replication.
     */
    BAD_ID,
    /** A message replication's name is one line, not blank, 100 characters at most. */
    BAD_NAME,
    /** An id of a topic replication stands once, also among the default ones. */
    DUPLICATE_ID,
    /** An id of a connection stands once. */
    DUPLICATE_CONNECTION,
    /** A name of a message replication stands once. */
    DUPLICATE_MESSAGE_REPLICATION,
    /** A message replication names a connection that exists. */
    UNKNOWN_CONNECTION,
    /** A topic replication of an instance belongs to a message replication that exists. */
    UNKNOWN_MESSAGE_REPLICATION,
    /** An id of a credential stands once. */
    DUPLICATE_CREDENTIAL,
    /** A connection names a credential that exists. */
    UNKNOWN_CREDENTIAL,
    /** Bootstrap servers are a list of host:port. */
    BAD_BOOTSTRAP_SERVERS,
    /** A client property is not one that the engine sets itself. */
    MANAGED_PROPERTY,
    /** A client property has a value that Kafka's clients take. */
    BAD_PROPERTY,
    /** A client property is one of Kafka's. Told as a warning: the records are valid. */
    UNKNOWN_PROPERTY,
    /** A consumer group id is one line, not blank, 249 characters at most. */
    BAD_GROUP_ID,
    /** Two connections to one cluster have two groups. */
    SHARED_GROUP_ID,
    /** A store has a location, base64 or PEM text, one of them, of a type that is known. */
    BAD_STORE,
    /** SASL has the fields of its mechanism, and JAAS lines that Kafka's clients can read. */
    BAD_SASL,
    /** A secret stands in a placeholder. Told as a warning: the records are valid. */
    SECRET_IN_CLEAR,
    /** A customer's topic has a name that Kafka takes. */
    BAD_TOPIC_NAME,
    /** A ServiceNow topic has a full name that Hermes takes, 200 characters at most. */
    BAD_SERVICENOW_TOPIC,
    /** Internal topics are never replicated. */
    INTERNAL_TOPIC,
    /** An application id that starts with {@code sn_} is a known one. */
    BAD_APPLICATION_ID,
    /** A namespace does not start with {@code sn_}. */
    BAD_NAMESPACE,
    /** A full ServiceNow topic is of the configured instance, and all are of one. */
    INSTANCE_MISMATCH,
    /** The start is earliest, latest or a time. */
    BAD_START_FROM,
    /** A route is named like a template, or is {@code none}. */
    BAD_ROUTE,
    /** Among active records a pair of source and destination stands once. */
    SAME_PAIR_TWICE,
    /** Among active records a source has one destination. */
    SOURCE_WITH_TWO_DESTINATIONS,
    /** Among active records a destination is used once. */
    DESTINATION_USED_TWICE,
    /** Active records make no loop, whatever the number of hops. */
    LOOP;

    /** The rule's id, such as {@code duplicate-id}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
