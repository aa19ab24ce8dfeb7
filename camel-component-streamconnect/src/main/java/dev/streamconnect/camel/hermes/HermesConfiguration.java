package dev.streamconnect.camel.hermes;

import dev.streamconnect.engine.LinkOptions;
import dev.streamconnect.engine.PairOptions;
import dev.streamconnect.record.Deduplicate;
import dev.streamconnect.record.FailoverOrder;
import dev.streamconnect.record.OnGap;
import dev.streamconnect.record.OnRecreated;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.camel.RuntimeCamelException;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriParams;

/**
 * The options of {@code hermes:} as a form for Camel to fill in; {@link HermesSettings} checks and
 * freezes them.
 */
@UriParams
public class HermesConfiguration implements Cloneable {

    @UriParam private String instance;

    @UriParam(label = "advanced", defaultValue = "service-now.com")
    private String domain = "service-now.com";

    @UriParam private String namespace;

    @UriParam private String applicationId;

    @UriParam(label = "security")
    private String keystore;

    @UriParam(label = "security", secret = true)
    private String keystorePassword;

    @UriParam(label = "security", secret = true)
    private String keyPassword;

    @UriParam(label = "security")
    private String truststore;

    @UriParam(label = "security", secret = true)
    private String truststorePassword;

    @UriParam(label = "security", defaultValue = "true")
    private boolean hostnameVerification = true;

    @UriParam(label = "security,advanced")
    private String developmentAuthority;

    @UriParam(label = "security,advanced", defaultValue = "hermes-stores")
    private String developmentStores = "hermes-stores";

    @UriParam(label = "security,advanced", defaultValue = "streamconnect")
    private String developmentClient = "streamconnect";

    @UriParam(label = "producer,advanced")
    private String producerBootstrapServers;

    @UriParam(label = "consumer,advanced")
    private String consumerABootstrapServers;

    @UriParam(label = "consumer,advanced")
    private String consumerBBootstrapServers;

    @UriParam(label = "advanced", defaultValue = "4000")
    private int portBase = 4000;

    @UriParam(label = "advanced", defaultValue = "false")
    private boolean anyPorts = false;

    @UriParam(label = "consumer", defaultValue = "AB", enums = "AB,A,B")
    private String sides = "AB";

    @UriParam(label = "consumer")
    private String groupId;

    @UriParam(label = "consumer", defaultValue = "earliest")
    private String startFrom = "earliest";

    @UriParam(label = "consumer", defaultValue = "continue", enums = "continue,fail")
    private OnGap onGap = OnGap.CONTINUE;

    @UriParam(label = "consumer", defaultValue = "earliest", enums = "earliest,fail")
    private OnRecreated onRecreated = OnRecreated.EARLIEST;

    @UriParam(label = "consumer", defaultValue = "false")
    private boolean batch = false;

    @UriParam(label = "consumer", defaultValue = "fast", enums = "fast,drainFirst")
    private FailoverOrder failoverOrder = PairOptions.DEFAULT.order();

    @UriParam(label = "consumer", defaultValue = "60000", javaType = "java.time.Duration")
    private long drainLimit = PairOptions.DEFAULT.drainLimit().toMillis();

    @UriParam(label = "consumer", defaultValue = "none", enums = "none,count,drop")
    private Deduplicate deduplicate = PairOptions.DEFAULT.deduplicate();

    @UriParam(label = "consumer,advanced", defaultValue = "10000")
    private int deduplicateWindow = PairOptions.DEFAULT.deduplicateWindow();

    @UriParam(label = "producer", defaultValue = "async", enums = "async,sync,fireAndForget")
    private DeliveryMode delivery = DeliveryMode.ASYNC;

    @UriParam(label = "producer", defaultValue = "store", enums = "store,fail")
    private UndeliveredMode undelivered = UndeliveredMode.STORE;

    @UriParam(label = "producer", defaultValue = "false")
    private boolean allowTombstone = false;

    @UriParam(label = "producer", defaultValue = "none", enums = "none,gzip,lz4")
    private String compressionType = "none";

    @UriParam(label = "producer", defaultValue = "2097152")
    private int maxMessageBytes = LinkOptions.HERMES_MAX_MESSAGE_BYTES;

    @UriParam(label = "producer,advanced", prefix = "producer.", multiValue = true)
    private Map<String, Object> producerProperties = new LinkedHashMap<>();

    @UriParam(label = "consumer,advanced", prefix = "consumer.", multiValue = true)
    private Map<String, Object> consumerProperties = new LinkedHashMap<>();

    @UriParam(label = "advanced", defaultValue = "false")
    private boolean allowInstanceMismatch = false;

    /** A copy that can be changed alone. */
    public HermesConfiguration copy() {
        try {
            HermesConfiguration copy = (HermesConfiguration) clone();
            copy.producerProperties = new LinkedHashMap<>(producerProperties);
            copy.consumerProperties = new LinkedHashMap<>(consumerProperties);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new RuntimeCamelException(e);
        }
    }

    public String getInstance() {
        return instance;
    }

    /**
     * Name of the ServiceNow instance, for example acme for acme.service-now.com. Topics, groups
     * and host names follow from it. Required, here or on the component.
     */
    public void setInstance(String instance) {
        this.instance = instance;
    }

    public String getDomain() {
        return domain;
    }

    /** Domain of the instance's host name. */
    public void setDomain(String domain) {
        this.domain = domain;
    }

    public String getNamespace() {
        return namespace;
    }

    /**
     * Namespace prefix in the topic's full name: snc.(instance).(namespace).(topic). Not with a
     * full topic name.
     */
    public void setNamespace(String namespace) {
        this.namespace = namespace;
    }

    public String getApplicationId() {
        return applicationId;
    }

    /**
     * Application id in the topic's full name, for example sn_streamconnect:
     * snc.(instance).(applicationId).(topic). Not with a full topic name.
     */
    public void setApplicationId(String applicationId) {
        this.applicationId = applicationId;
    }

    public String getKeystore() {
        return keystore;
    }

    /**
     * Path of the client's keystore, PKCS12 or JKS (told by its content), as the instance's
     * certificate generator makes it. Hermes wants a client certificate on every port.
     */
    public void setKeystore(String keystore) {
        this.keystore = keystore;
    }

    public String getKeystorePassword() {
        return keystorePassword;
    }

    /** Password of the keystore. */
    public void setKeystorePassword(String keystorePassword) {
        this.keystorePassword = keystorePassword;
    }

    public String getKeyPassword() {
        return keyPassword;
    }

    /** Password of the key in the keystore, where it differs from the keystore's. */
    public void setKeyPassword(String keyPassword) {
        this.keyPassword = keyPassword;
    }

    public String getTruststore() {
        return truststore;
    }

    /**
     * Path of the truststore with the instance's CA, PKCS12 or JKS. Without it Java's own list of
     * CAs is used.
     */
    public void setTruststore(String truststore) {
        this.truststore = truststore;
    }

    public String getTruststorePassword() {
        return truststorePassword;
    }

    /** Password of the truststore. */
    public void setTruststorePassword(String truststorePassword) {
        this.truststorePassword = truststorePassword;
    }

    public boolean isHostnameVerification() {
        return hostnameVerification;
    }

    /**
     * Whether a broker's certificate must name its host. Turn it off only toward a sandbox or a
     * tunnel.
     */
    public void setHostnameVerification(boolean hostnameVerification) {
        this.hostnameVerification = hostnameVerification;
    }

    public String getProducerBootstrapServers() {
        return producerBootstrapServers;
    }

    /**
     * Bootstrap servers for sending, host:port with commas, instead of ports 4000 to 4003 of the
     * instance.
     */
    public void setProducerBootstrapServers(String producerBootstrapServers) {
        this.producerBootstrapServers = producerBootstrapServers;
    }

    public String getConsumerABootstrapServers() {
        return consumerABootstrapServers;
    }

    /**
     * Bootstrap servers of side A, host:port with commas, instead of ports 4100 to 4103 of the
     * instance. If only one side is given, the other is derived by the port rules.
     */
    public void setConsumerABootstrapServers(String consumerABootstrapServers) {
        this.consumerABootstrapServers = consumerABootstrapServers;
    }

    public String getConsumerBBootstrapServers() {
        return consumerBBootstrapServers;
    }

    /**
     * Bootstrap servers of side B, host:port with commas, instead of ports 4200 to 4203 of the
     * instance. If only one side is given, the other is derived by the port rules.
     */
    public void setConsumerBBootstrapServers(String consumerBBootstrapServers) {
        this.consumerBBootstrapServers = consumerBBootstrapServers;
    }

    public int getPortBase() {
        return portBase;
    }

    /**
     * First port of the producer range, where a tunnel or a sandbox moved the ports: side A begins
     * 100 and side B 200 above it.
     */
    public void setPortBase(int portBase) {
        this.portBase = portBase;
    }

    public boolean isAnyPorts() {
        return anyPorts;
    }

    /** Takes bootstrap ports outside of the ranges too, as a sandbox on free ports has them. */
    public void setAnyPorts(boolean anyPorts) {
        this.anyPorts = anyPorts;
    }

    public String getSides() {
        return sides;
    }

    /**
     * Sides to read. One side alone loses the messages that go to the other one at a fail-over, so
     * A and B are a deliberate choice, for diagnosis.
     */
    public void setSides(String sides) {
        this.sides = sides;
    }

    public String getGroupId() {
        return groupId;
    }

    /**
     * Consumer group: a label, which becomes snc.(instance).(label), or the full name. Required by
     * consumers.
     */
    public void setGroupId(String groupId) {
        this.groupId = groupId;
    }

    public String getStartFrom() {
        return startFrom;
    }

    /**
     * Where to begin if the group has no position: earliest, latest, or a time such as
     * 2026-03-01T06:00:00Z.
     */
    public void setStartFrom(String startFrom) {
        this.startFrom = startFrom;
    }

    public OnGap getOnGap() {
        return onGap;
    }

    /**
     * What a partition does where Hermes has removed messages before they were read. continue: it
     * goes on at the first that is left. fail: it stops there with status FAILED.
     */
    public void setOnGap(OnGap onGap) {
        this.onGap = onGap;
    }

    public OnRecreated getOnRecreated() {
        return onRecreated;
    }

    /**
     * What a partition does where the topic was deleted and made anew. earliest: it reads the new
     * one from its first message. fail: it stops with status FAILED.
     */
    public void setOnRecreated(OnRecreated onRecreated) {
        this.onRecreated = onRecreated;
    }

    public boolean isBatch() {
        return batch;
    }

    /**
     * Whether an exchange holds a polled batch (body dev.streamconnect.engine.RecordBatch) instead
     * of one message (body: its bytes).
     */
    public void setBatch(boolean batch) {
        this.batch = batch;
    }

    public UndeliveredMode getUndelivered() {
        return undelivered;
    }

    /**
     * What becomes of a message that Hermes does not take within the delivery time-out. store: it
     * is kept in the undelivered store and sent again by the retry, and the exchange goes on as
     * soon as it is durable there, with the reason in the header CamelHermesUndelivered; where no
     * store is configured, as fail. fail: the exchange fails with the client's exception.
     */
    public void setUndelivered(UndeliveredMode undelivered) {
        this.undelivered = undelivered;
    }

    public FailoverOrder getFailoverOrder() {
        return failoverOrder;
    }

    /**
     * What is read first while both sides have messages, as after a fail-over. fast: each side as
     * it comes, so that messages of a key can be out of order across the sides; those are counted.
     * drainFirst: messages of a side wait until the other one is read to its end, or to where it is
     * younger, and are delivered.
     */
    public void setFailoverOrder(FailoverOrder failoverOrder) {
        this.failoverOrder = failoverOrder;
    }

    public long getDrainLimit() {
        return drainLimit;
    }

    /**
     * With failoverOrder=drainFirst: how long messages of a side wait for the other one. Then both
     * go on as with fast until it is read to its end; that is counted, and a line of the log.
     */
    public void setDrainLimit(long drainLimit) {
        this.drainLimit = drainLimit;
    }

    public Deduplicate getDeduplicate() {
        return deduplicate;
    }

    /**
     * What is done with a message that landed on both sides: one that is the same in key, value,
     * headers and timestamp, and was read from the other side before. none: it is not looked for.
     * count: it is counted. drop: it is counted and left out.
     */
    public void setDeduplicate(Deduplicate deduplicate) {
        this.deduplicate = deduplicate;
    }

    public int getDeduplicateWindow() {
        return deduplicateWindow;
    }

    /** How many messages of a topic, of both sides together, deduplicate remembers. */
    public void setDeduplicateWindow(int deduplicateWindow) {
        this.deduplicateWindow = deduplicateWindow;
    }

    public DeliveryMode getDelivery() {
        return delivery;
    }

    /**
     * When the exchange goes on: async at the acknowledgement, without a waiting thread; sync as
     * async, and headers tell partition, offset and timestamp; fireAndForget at once, failures are
     * only logged and counted.
     */
    public void setDelivery(DeliveryMode delivery) {
        this.delivery = delivery;
    }

    public boolean isAllowTombstone() {
        return allowTombstone;
    }

    /**
     * Whether a null body is sent as a tombstone. Otherwise it is refused, unless the header
     * CamelHermesTombstone is true or the exchange was read from a tombstone.
     */
    public void setAllowTombstone(boolean allowTombstone) {
        this.allowTombstone = allowTombstone;
    }

    public String getCompressionType() {
        return compressionType;
    }

    /** Compression of what is sent. Hermes accepts none, gzip and lz4. */
    public void setCompressionType(String compressionType) {
        this.compressionType = compressionType;
    }

    public int getMaxMessageBytes() {
        return maxMessageBytes;
    }

    /**
     * Largest message to send: bytes of key, value and headers before compression. Larger ones are
     * refused before they reach the broker.
     */
    public void setMaxMessageBytes(int maxMessageBytes) {
        this.maxMessageBytes = maxMessageBytes;
    }

    public Map<String, Object> getProducerProperties() {
        return producerProperties;
    }

    /**
     * Further properties of the Kafka producer, for example producer.linger.ms=20. They win over
     * what this component sets.
     */
    public void setProducerProperties(Map<String, Object> producerProperties) {
        this.producerProperties = producerProperties;
    }

    public Map<String, Object> getConsumerProperties() {
        return consumerProperties;
    }

    /**
     * Further properties of the Kafka consumers, for example consumer.fetch.min.bytes=1024. They
     * win over what this component sets.
     */
    public void setConsumerProperties(Map<String, Object> consumerProperties) {
        this.consumerProperties = consumerProperties;
    }

    public boolean isAllowInstanceMismatch() {
        return allowInstanceMismatch;
    }

    /**
     * Takes a topic, host or certificate of another instance than the configured one, which is
     * refused otherwise since a cloned instance leaves such settings behind.
     */
    public void setAllowInstanceMismatch(boolean allowInstanceMismatch) {
        this.allowInstanceMismatch = allowInstanceMismatch;
    }

    public String getDevelopmentAuthority() {
        return developmentAuthority;
    }

    /**
     * PKCS12 file with the key of a local certificate authority, such as the sandbox's ca.p12. For
     * development: where no keystore is given, the client's own certificate and stores are made
     * with it at the first start. keystorePassword opens it and protects the new stores.
     */
    public void setDevelopmentAuthority(String developmentAuthority) {
        this.developmentAuthority = developmentAuthority;
    }

    public String getDevelopmentStores() {
        return developmentStores;
    }

    /**
     * Folder for the stores that are made where no keystore is given, with developmentAuthority or
     * by an issuer. Delete it to have them made anew; the certificate is renewed by itself.
     */
    public void setDevelopmentStores(String developmentStores) {
        this.developmentStores = developmentStores;
    }

    public String getDevelopmentClient() {
        return developmentClient;
    }

    /**
     * Name in a certificate that is made with developmentAuthority: the principal that brokers give
     * rights to.
     */
    public void setDevelopmentClient(String developmentClient) {
        this.developmentClient = developmentClient;
    }
}
