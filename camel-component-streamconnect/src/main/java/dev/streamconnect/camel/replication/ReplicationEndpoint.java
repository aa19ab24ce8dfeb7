package dev.streamconnect.camel.replication;

import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.MultipleConsumersSupport;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.spi.UriPath;
import org.apache.camel.support.DefaultEndpoint;

/**
 * Both ends of a topic replication between a customer's Kafka and a ServiceNow instance, and its
 * state.
 */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "replication",
        title = "Replication",
        syntax = "replication:id",
        category = {Category.MESSAGING},
        headersClass = ReplicationConstants.class)
public class ReplicationEndpoint extends DefaultEndpoint implements MultipleConsumersSupport {

    @UriPath(
            description =
                    "Id of a topic replication of the records; with an operation also a pattern; an asterisk is all")
    @Metadata(required = true)
    private final String id;

    @UriParam(label = "consumer", defaultValue = "false")
    private boolean batch;

    @UriParam(
            label = "producer",
            enums =
                    "status,metrics,list,show,export,retry,park,discard,pause,resume,replay,preflight")
    private ReplicationOperation operation;

    @UriParam(label = "producer", defaultValue = "topicReplication")
    private StatusBy by = StatusBy.topicReplication;

    @UriParam(label = "producer", defaultValue = "false")
    private boolean json;

    @UriParam(label = "producer", defaultValue = "3600000", javaType = "java.time.Duration")
    private long period = 3_600_000;

    @UriParam(label = "producer")
    private String reader;

    @UriParam(label = "producer", defaultValue = "false")
    private boolean testMessage;

    @UriParam private RowOptions rowOptions = new RowOptions();

    @UriParam private ReplayOptions replayOptions = new ReplayOptions();

    ReplicationEndpoint(String uri, ReplicationComponent component, String id) {
        super(uri, component);
        this.id = id;
    }

    @Override
    public Producer createProducer() throws Exception {
        rowOptions.check(operation);
        replayOptions.check(operation);
        if (by != StatusBy.topicReplication && operation != ReplicationOperation.STATUS) {
            throw new IllegalArgumentException(
                    "by: " + by + " goes with operation=status alone; leave it out");
        }
        if (by == StatusBy.records && !id.equals("*")) {
            throw new IllegalArgumentException(
                    "by: records tells of all records of this node; write replication:*");
        }
        if (operation != null) {
            OperationTarget.check(id);
            return new OperationProducer(this, operation.producer(this));
        }
        if (!component().hasHermes()) {
            return WithoutHermes.producer(this);
        }
        component().activeReplication(id);
        return new ReplicationProducer(this);
    }

    @Override
    public Consumer createConsumer(Processor processor) throws Exception {
        if (operation != null) {
            throw new IllegalArgumentException(
                    "operation: replication:"
                            + id
                            + " with an operation is used with 'to', not with 'from'");
        }
        if (!component().hasHermes()) {
            return WithoutHermes.consumer(this, processor);
        }
        component().activeReplication(id);
        ReplicationConsumer consumer = new ReplicationConsumer(this, processor);
        configureConsumer(consumer);
        return consumer;
    }

    /** Always true: a second reader is refused by the component, which tells why. */
    @Override
    public boolean isMultipleConsumersSupported() {
        return true;
    }

    /** True for an operation that does not only read. */
    boolean changesSomething() {
        return operation.changes() || testMessage;
    }

    ReplicationComponent component() {
        return (ReplicationComponent) getComponent();
    }

    public String getId() {
        return id;
    }

    public boolean isBatch() {
        return batch;
    }

    /**
     * Whether an exchange holds a polled batch (body dev.streamconnect.engine.RecordBatch) instead
     * of one message (body: its bytes). A batch is much faster; one message an exchange is for
     * routes with steps that look at messages.
     */
    public void setBatch(boolean batch) {
        this.batch = batch;
    }

    public ReplicationOperation getOperation() {
        return operation;
    }

    /**
     * What to do instead of sending. status: the body becomes the list of the states
     * (dev.streamconnect.engine.LinkStatus) of the topic replications that the id or pattern
     * matches. metrics: the body becomes the list of their closed metrics windows
     * (dev.streamconnect.spi.MetricsRecord), oldest first. list, show, export: the body becomes the
     * chosen rows of the undelivered store, one row, or a stream of JSON lines. retry: undelivered
     * messages that are due are sent again, the chosen rows at once; the body becomes what came of
     * it (dev.streamconnect.engine.SweepCounts). park, discard: the chosen rows are parked or
     * deleted; the body becomes their number. pause, resume: topic replications stop and take up
     * reading; the body becomes which did (dev.streamconnect.camel.replication.LinksChanged).
     * replay: source positions move back, and messages are copied again; the body becomes the list
     * of partitions (dev.streamconnect.engine.ReplayedPartition). preflight: addresses,
     * certificates, topics and rights that topic replications need are looked at; the body becomes
     * what was found (dev.streamconnect.preflight.PreflightReport).
     */
    public void setOperation(ReplicationOperation operation) {
        this.operation = operation;
    }

    public StatusBy getBy() {
        return by;
    }

    /**
     * What operation=status tells the state of. With messageReplication the id or pattern is the
     * name of a message replication, and the body becomes a list of
     * dev.streamconnect.camel.MessageReplicationStatus. With records the id does not matter, and
     * the body becomes which version of the records is in effect
     * (dev.streamconnect.camel.RecordsStatus).
     */
    public void setBy(StatusBy by) {
        this.by = by;
    }

    public boolean isJson() {
        return json;
    }

    /** Whether an operation answers JSON text instead of objects. */
    public void setJson(boolean json) {
        this.json = json;
    }

    public long getPeriod() {
        return period;
    }

    /**
     * How far back metrics windows are answered: those that ended within this time. Without a store
     * for metrics at most the last 60 windows of each topic replication. Not used with a reader.
     */
    public void setPeriod(long period) {
        this.period = period;
    }

    public String getReader() {
        return reader;
    }

    /**
     * Any name. With it operation=metrics answers only the windows that it has not answered under
     * this name and id or pattern since the context started, and of this node only: a timed route
     * passes each window once. What an exchange got that fails is answered again.
     */
    public void setReader(String reader) {
        this.reader = reader;
    }

    public boolean isTestMessage() {
        return testMessage;
    }

    /**
     * Whether operation=preflight also sends one message to each destination topic, which stays
     * there for all its readers. Its key is streamconnect-preflight.
     */
    public void setTestMessage(boolean testMessage) {
        this.testMessage = testMessage;
    }

    public RowOptions getRowOptions() {
        return rowOptions;
    }

    /** Which rows of the undelivered store an operation is for. */
    public void setRowOptions(RowOptions rowOptions) {
        this.rowOptions = rowOptions;
    }

    public ReplayOptions getReplayOptions() {
        return replayOptions;
    }

    /** What operation=replay moves, and where. */
    public void setReplayOptions(ReplayOptions replayOptions) {
        this.replayOptions = replayOptions;
    }
}
