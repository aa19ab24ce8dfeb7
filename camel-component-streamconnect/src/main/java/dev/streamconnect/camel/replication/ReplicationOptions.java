package dev.streamconnect.camel.replication;

import dev.streamconnect.access.AccessRoles;
import dev.streamconnect.record.OnGap;
import dev.streamconnect.record.OnRecreated;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.UndeliveredStore;
import dev.streamconnect.undelivered.StoreLimits;
import java.time.Duration;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.spi.Metadata;
import org.apache.camel.support.DefaultComponent;

/** The options of {@link ReplicationComponent}. */
public abstract class ReplicationOptions extends DefaultComponent {

    @Metadata private String records;

    @Metadata(label = "advanced", autowired = true)
    private RecordStore recordStore;

    @Metadata(defaultValue = "1000", javaType = "java.time.Duration")
    private long recordsInterval = 1000;

    @Metadata(label = "servicenow")
    private String serviceNowUser;

    @Metadata(label = "servicenow", secret = true)
    private String serviceNowPassword;

    @Metadata(label = "servicenow")
    private String serviceNowClientId;

    @Metadata(label = "servicenow", secret = true)
    private String serviceNowClientSecret;

    @Metadata(label = "servicenow")
    private String serviceNowTruststore;

    @Metadata(label = "servicenow", secret = true)
    private String serviceNowTruststorePassword;

    @Metadata(label = "servicenow")
    private String serviceNowOverlay;

    @Metadata(label = "servicenow")
    private String serviceNowCache;

    @Metadata(label = "servicenow", defaultValue = "30000", javaType = "java.time.Duration")
    private long serviceNowInterval = 30_000;

    @Metadata(
            label = "servicenow,advanced",
            defaultValue = "10000",
            javaType = "java.time.Duration")
    private long serviceNowTimeout = 10_000;

    @Metadata(label = "servicenow", defaultValue = "none", enums = "none,status,metrics,all")
    private ServiceNowWriteBack serviceNowWriteBack = ServiceNowWriteBack.NONE;

    @Metadata private String node;

    @Metadata(defaultValue = "true")
    private boolean buildRoutes = true;

    @Metadata(defaultValue = "false")
    private boolean debug;

    @Metadata(defaultValue = "continue", enums = "continue,fail")
    private OnGap onGap = OnGap.CONTINUE;

    @Metadata(defaultValue = "earliest", enums = "earliest,fail")
    private OnRecreated onRecreated = OnRecreated.EARLIEST;

    @Metadata private String originHeader;

    @Metadata(label = "security", defaultValue = AccessRoles.ADMIN)
    private String adminRoles = AccessRoles.ADMIN;

    @Metadata(label = "security", defaultValue = AccessRoles.USER)
    private String userRoles = AccessRoles.USER;

    @Metadata(label = "security", defaultValue = "false")
    private boolean requireRoles;

    @Metadata(label = "advanced", defaultValue = "1000", javaType = "java.time.Duration")
    private long commitInterval = 1000;

    @Metadata(label = "advanced", defaultValue = "10000")
    private int maxUncommitted = 10_000;

    @Metadata(label = "advanced", defaultValue = "300000", javaType = "java.time.Duration")
    private long idleAfter = 300_000;

    @Metadata(label = "advanced", defaultValue = "120000", javaType = "java.time.Duration")
    private long stalledAfter = 120_000;

    @Metadata(label = "advanced", defaultValue = "120000", javaType = "java.time.Duration")
    private long missingTimeout = 120_000;

    @Metadata(label = "advanced", defaultValue = "250", javaType = "java.time.Duration")
    private long retryInitial = 250;

    @Metadata(label = "advanced", defaultValue = "30000", javaType = "java.time.Duration")
    private long retryMax = 30_000;

    @Metadata(label = "undelivered")
    private String undeliveredUrl;

    @Metadata(label = "undelivered")
    private String undeliveredUser;

    @Metadata(label = "undelivered", secret = true)
    private String undeliveredPassword;

    @Metadata(label = "undelivered")
    private DataSource undeliveredDataSource;

    @Metadata(label = "undelivered", defaultValue = "100000")
    private long undeliveredMaxRows = StoreLimits.DEFAULT.maxRows();

    @Metadata(label = "undelivered", defaultValue = "1073741824")
    private long undeliveredMaxBytes = StoreLimits.DEFAULT.maxBytes();

    @Metadata(label = "undelivered,advanced", autowired = true)
    private UndeliveredStore undeliveredStore;

    @Metadata(label = "undelivered", defaultValue = "key", enums = "key,none")
    private MessageOrdering ordering = MessageOrdering.KEY;

    @Metadata(label = "undelivered", defaultValue = "900000", javaType = "java.time.Duration")
    private long routeRetryLimit = 900_000;

    @Metadata(label = "undelivered", defaultValue = "60000", javaType = "java.time.Duration")
    private long undeliveredRetryInitial = 60_000;

    @Metadata(label = "undelivered", defaultValue = "3600000", javaType = "java.time.Duration")
    private long undeliveredRetryMax = 3_600_000;

    @Metadata(label = "undelivered", defaultValue = "100")
    private int undeliveredMaxAttempts = 100;

    @Metadata(label = "undelivered", defaultValue = "604800000", javaType = "java.time.Duration")
    private long undeliveredMaxAge = 604_800_000;

    @Metadata(defaultValue = "60000", javaType = "java.time.Duration")
    private long metricsInterval = 60_000;

    @Metadata(label = "advanced", defaultValue = "30d", javaType = "java.time.Duration")
    private long metricsRetention = Duration.ofDays(30).toMillis();

    @Metadata private Boolean metricsRoute;

    @Metadata(label = "undelivered")
    private Boolean retryRoute;

    @Metadata(label = "undelivered", defaultValue = "60000", javaType = "java.time.Duration")
    private long retryInterval = 60_000;

    ReplicationOptions() {}

    ReplicationOptions(CamelContext context) {
        super(context);
    }

    /**
     * @throws IllegalArgumentException one line with the option
     */
    final void checkBounds() {
        if (records != null && recordStore != null) {
            throw new IllegalArgumentException(
                    "records: there is a recordStore, too; give one of them");
        }
        if (recordsInterval < 0) {
            throw new IllegalArgumentException(
                    "recordsInterval: "
                            + recordsInterval
                            + " is too small; use 0 to read the records at the start only");
        }
        roles();
        positive("serviceNowInterval", serviceNowInterval);
        positive("serviceNowTimeout", serviceNowTimeout);
        if (serviceNowWriteBack != ServiceNowWriteBack.NONE && !isServiceNow()) {
            throw new IllegalArgumentException(
                    "serviceNowWriteBack: the records are not those of an instance; give records=servicenow:https://<instance>.service-now.com");
        }
        positive("commitInterval", commitInterval);
        positive("maxUncommitted", maxUncommitted);
        positive("idleAfter", idleAfter);
        positive("stalledAfter", stalledAfter);
        positive("missingTimeout", missingTimeout);
        positive("retryInitial", retryInitial);
        positive("retryMax", retryMax);
        positive("undeliveredRetryInitial", undeliveredRetryInitial);
        positive("undeliveredRetryMax", undeliveredRetryMax);
        positive("retryInterval", retryInterval);
        positive("metricsInterval", metricsInterval);
        positive("metricsRetention", metricsRetention);
        if (retryMax < retryInitial) {
            throw new IllegalArgumentException(
                    "retryMax: "
                            + retryMax
                            + " ms is below retryInitial, "
                            + retryInitial
                            + " ms; make it larger");
        }
    }

    /**
     * Who may use operations.
     *
     * @throws IllegalArgumentException if an option names no role; one line
     */
    final AccessRoles roles() {
        return AccessRoles.of(adminRoles, userRoles, requireRoles);
    }

    private static void positive(String option, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(
                    option + ": " + value + " is too small; use 1 or more");
        }
    }

    public String getRecords() {
        return records;
    }

    /**
     * The replication records: a path, file:, classpath:, or servicenow: with the address of an
     * instance, such as servicenow:https://acme.service-now.com. A file is watched, see
     * recordsInterval; an instance is read again and again, see serviceNowInterval.
     */
    public void setRecords(String records) {
        this.records = records;
    }

    public RecordStore getRecordStore() {
        return recordStore;
    }

    /** Where the replication records come from, instead of records. */
    public void setRecordStore(RecordStore recordStore) {
        this.recordStore = recordStore;
    }

    /** True if there are replication records. */
    boolean hasRecords() {
        return records != null || recordStore != null;
    }

    public long getRecordsInterval() {
        return recordsInterval;
    }

    /**
     * Time between two looks at the replication records. A new version is taken up when two looks
     * have found it; only the routes of changed records restart. 0: they are read at the start
     * only.
     */
    public void setRecordsInterval(long recordsInterval) {
        this.recordsInterval = recordsInterval;
    }

    /** True if the records are those of an instance. */
    final boolean isServiceNow() {
        return records != null && records.startsWith(RecordsLoader.SERVICENOW);
    }

    public String getServiceNowUser() {
        return serviceNowUser;
    }

    /**
     * User that reads the records of an instance, for basic authentication, or with
     * serviceNowClientId for the password grant of OAuth.
     */
    public void setServiceNowUser(String serviceNowUser) {
        this.serviceNowUser = serviceNowUser;
    }

    public String getServiceNowPassword() {
        return serviceNowPassword;
    }

    /** Password of serviceNowUser. */
    public void setServiceNowPassword(String serviceNowPassword) {
        this.serviceNowPassword = serviceNowPassword;
    }

    public String getServiceNowClientId() {
        return serviceNowClientId;
    }

    /**
     * Client of OAuth at the instance. Without serviceNowUser the grant is that of client
     * credentials.
     */
    public void setServiceNowClientId(String serviceNowClientId) {
        this.serviceNowClientId = serviceNowClientId;
    }

    public String getServiceNowClientSecret() {
        return serviceNowClientSecret;
    }

    /** Secret of serviceNowClientId. */
    public void setServiceNowClientSecret(String serviceNowClientSecret) {
        this.serviceNowClientSecret = serviceNowClientSecret;
    }

    public String getServiceNowTruststore() {
        return serviceNowTruststore;
    }

    /**
     * File with the authorities that the instance's HTTPS is trusted by, beside those that Java
     * trusts: PKCS12, JKS or PEM.
     */
    public void setServiceNowTruststore(String serviceNowTruststore) {
        this.serviceNowTruststore = serviceNowTruststore;
    }

    public String getServiceNowTruststorePassword() {
        return serviceNowTruststorePassword;
    }

    /** Password of serviceNowTruststore; PEM needs none. */
    public void setServiceNowTruststorePassword(String serviceNowTruststorePassword) {
        this.serviceNowTruststorePassword = serviceNowTruststorePassword;
    }

    public String getServiceNowOverlay() {
        return serviceNowOverlay;
    }

    /**
     * YAML file with what an instance does not say: credentials of Kafka connections, options of
     * topic replications, and other names of tables and columns.
     */
    public void setServiceNowOverlay(String serviceNowOverlay) {
        this.serviceNowOverlay = serviceNowOverlay;
    }

    public String getServiceNowCache() {
        return serviceNowCache;
    }

    /**
     * File that keeps the last good records of an instance, for a start while it does not answer.
     * By default records-(host).json in the working directory; none for no file.
     */
    public void setServiceNowCache(String serviceNowCache) {
        this.serviceNowCache = serviceNowCache;
    }

    public long getServiceNowInterval() {
        return serviceNowInterval;
    }

    /**
     * Time between two reads of the records of an instance, up to a fifth more or less. After
     * failures it is up to five minutes, or what the instance asks for.
     */
    public void setServiceNowInterval(long serviceNowInterval) {
        this.serviceNowInterval = serviceNowInterval;
    }

    public long getServiceNowTimeout() {
        return serviceNowTimeout;
    }

    /** Longest time for one call of an instance. */
    public void setServiceNowTimeout(long serviceNowTimeout) {
        this.serviceNowTimeout = serviceNowTimeout;
    }

    public ServiceNowWriteBack getServiceNowWriteBack() {
        return serviceNowWriteBack;
    }

    /**
     * What is written back to the instance that the records come from: status records, metrics
     * records, both (all), or nothing.
     */
    public void setServiceNowWriteBack(ServiceNowWriteBack serviceNowWriteBack) {
        this.serviceNowWriteBack = serviceNowWriteBack;
    }

    public String getNode() {
        return node;
    }

    /** Name of this node in states and metrics. The host's name by default. */
    public void setNode(String node) {
        this.node = node;
    }

    public boolean isBuildRoutes() {
        return buildRoutes;
    }

    /**
     * Whether to build a route for each active topic replication, from the template that its record
     * names.
     */
    public void setBuildRoutes(boolean buildRoutes) {
        this.buildRoutes = buildRoutes;
    }

    public boolean isDebug() {
        return debug;
    }

    /**
     * Whether each batch of each topic replication is a line of the log: topic, partition, offsets,
     * number of messages and what came of it, never anything of a message. The loggers are
     * dev.streamconnect.debug.(id); without this option the level DEBUG of one turns it on for that
     * topic replication.
     */
    public void setDebug(boolean debug) {
        this.debug = debug;
    }

    public String getOriginHeader() {
        return originHeader;
    }

    /**
     * Name of a header that each copied message gets, which tells the topic that it was copied
     * from. A message with such a header is not copied back to that topic, whoever copied it
     * before: it ends loops of several replicators. Off without a name, since it changes messages.
     */
    public void setOriginHeader(String originHeader) {
        this.originHeader =
                originHeader == null || originHeader.isBlank() ? null : originHeader.strip();
    }

    public String getAdminRoles() {
        return adminRoles;
    }

    /**
     * Roles, with commas, whose users may use each operation: those that change something (retry,
     * park, discard, pause, resume, replay, preflight with a test message), and those of userRoles.
     * Users are those whom JMX has authenticated, or the route (header CamelAuthentication).
     */
    public void setAdminRoles(String adminRoles) {
        this.adminRoles = adminRoles;
    }

    public String getUserRoles() {
        return userRoles;
    }

    /**
     * Roles, with commas, whose users may read: status, metrics, list, show, export, preflight, JMX
     * attributes and the dev console.
     */
    public void setUserRoles(String userRoles) {
        this.userRoles = userRoles;
    }

    public boolean isRequireRoles() {
        return requireRoles;
    }

    /**
     * Whether JMX and the dev console are refused to a caller who is not logged in. By default they
     * are open where the runtime has no users.
     */
    public void setRequireRoles(boolean requireRoles) {
        this.requireRoles = requireRoles;
    }

    public long getCommitInterval() {
        return commitInterval;
    }

    /**
     * Longest time that a settled offset waits for its commit. Shorter means fewer duplicates after
     * a crash.
     */
    public void setCommitInterval(long commitInterval) {
        this.commitInterval = commitInterval;
    }

    public int getMaxUncommitted() {
        return maxUncommitted;
    }

    /**
     * Most messages of one partition that are settled but not committed: a bound for duplicates
     * after a crash.
     */
    public void setMaxUncommitted(int maxUncommitted) {
        this.maxUncommitted = maxUncommitted;
    }

    public long getIdleAfter() {
        return idleAfter;
    }

    /** How long there is nothing to replicate before the state is IDLE. */
    public void setIdleAfter(long idleAfter) {
        this.idleAfter = idleAfter;
    }

    public long getStalledAfter() {
        return stalledAfter;
    }

    /**
     * How long messages wait at the source and none moves before the state is STALLED, or
     * BLOCKED_BY_TRANSACTION where an open transaction holds them back. An outage that is seen, or
     * a failing step of a route, is told sooner.
     */
    public void setStalledAfter(long stalledAfter) {
        this.stalledAfter = stalledAfter;
    }

    public long getMissingTimeout() {
        return missingTimeout;
    }

    /**
     * How long a missing topic counts as waiting before it counts as failed. It is taken up in both
     * states.
     */
    public void setMissingTimeout(long missingTimeout) {
        this.missingTimeout = missingTimeout;
    }

    public long getRetryInitial() {
        return retryInitial;
    }

    /** First pause after a failure; each further one doubles it, with some chance in it. */
    public void setRetryInitial(long retryInitial) {
        this.retryInitial = retryInitial;
    }

    public String getUndeliveredUrl() {
        return undeliveredUrl;
    }

    /**
     * Database for undelivered messages and metrics: a JDBC URL of PostgreSQL or H2, or the path of
     * a file for the embedded H2 database. Rows hold the data of messages.
     */
    public void setUndeliveredUrl(String undeliveredUrl) {
        this.undeliveredUrl = undeliveredUrl;
    }

    public String getUndeliveredUser() {
        return undeliveredUser;
    }

    /** User of the database. */
    public void setUndeliveredUser(String undeliveredUser) {
        this.undeliveredUser = undeliveredUser;
    }

    public String getUndeliveredPassword() {
        return undeliveredPassword;
    }

    /** Password of the database's user. */
    public void setUndeliveredPassword(String undeliveredPassword) {
        this.undeliveredPassword = undeliveredPassword;
    }

    public DataSource getUndeliveredDataSource() {
        return undeliveredDataSource;
    }

    /** Connections to the database, instead of undeliveredUrl. */
    public void setUndeliveredDataSource(DataSource undeliveredDataSource) {
        this.undeliveredDataSource = undeliveredDataSource;
    }

    public long getUndeliveredMaxRows() {
        return undeliveredMaxRows;
    }

    /** Most messages in the store; a partition that has one more waits until there is room. */
    public void setUndeliveredMaxRows(long undeliveredMaxRows) {
        this.undeliveredMaxRows = undeliveredMaxRows;
    }

    public long getUndeliveredMaxBytes() {
        return undeliveredMaxBytes;
    }

    /** Most bytes of keys, values and headers in the store. */
    public void setUndeliveredMaxBytes(long undeliveredMaxBytes) {
        this.undeliveredMaxBytes = undeliveredMaxBytes;
    }

    public UndeliveredStore getUndeliveredStore() {
        return undeliveredStore;
    }

    /**
     * Keeps messages that cannot be delivered. Without one, a message that the destination refuses
     * stops its partition.
     */
    public void setUndeliveredStore(UndeliveredStore undeliveredStore) {
        this.undeliveredStore = undeliveredStore;
    }

    public OnGap getOnGap() {
        return onGap;
    }

    /**
     * What a partition does where the source has removed messages before they were read. continue:
     * it goes on at the first that is left. fail: it stops there with status FAILED. The field of a
     * record takes its place.
     */
    public void setOnGap(OnGap onGap) {
        this.onGap = onGap;
    }

    public OnRecreated getOnRecreated() {
        return onRecreated;
    }

    /**
     * What a partition does where its source topic was deleted and made anew. earliest: it reads
     * the new one from its first message. fail: it stops with status FAILED. The field of a record
     * takes its place.
     */
    public void setOnRecreated(OnRecreated onRecreated) {
        this.onRecreated = onRecreated;
    }

    public MessageOrdering getOrdering() {
        return ordering;
    }

    /**
     * What later messages do while one of their key is kept as undelivered. key: they wait behind
     * it, so that each key arrives in order. none: they go on and arrive before it, which is faster
     * while messages are undelivered.
     */
    public void setOrdering(MessageOrdering ordering) {
        this.ordering = ordering;
    }

    public long getRouteRetryLimit() {
        return routeRetryLimit;
    }

    /**
     * How long a failing step of a route is tried again in place before the source message is kept
     * as undelivered; it enters the route again at its retry. 0: for ever.
     */
    public void setRouteRetryLimit(long routeRetryLimit) {
        this.routeRetryLimit = routeRetryLimit;
    }

    public long getUndeliveredRetryInitial() {
        return undeliveredRetryInitial;
    }

    /** Pause before the first retry of an undelivered message; each further one doubles it. */
    public void setUndeliveredRetryInitial(long undeliveredRetryInitial) {
        this.undeliveredRetryInitial = undeliveredRetryInitial;
    }

    public long getUndeliveredRetryMax() {
        return undeliveredRetryMax;
    }

    /** Longest pause between two retries of an undelivered message. */
    public void setUndeliveredRetryMax(long undeliveredRetryMax) {
        this.undeliveredRetryMax = undeliveredRetryMax;
    }

    public int getUndeliveredMaxAttempts() {
        return undeliveredMaxAttempts;
    }

    /**
     * Attempts after which an undelivered message is parked: it waits for an operator, and later
     * messages of its key go on. 0: no limit.
     */
    public void setUndeliveredMaxAttempts(int undeliveredMaxAttempts) {
        this.undeliveredMaxAttempts = undeliveredMaxAttempts;
    }

    public long getUndeliveredMaxAge() {
        return undeliveredMaxAge;
    }

    /** Age at which an undelivered message is parked at its next failure. 0: no limit. */
    public void setUndeliveredMaxAge(long undeliveredMaxAge) {
        this.undeliveredMaxAge = undeliveredMaxAge;
    }

    public long getRetryMax() {
        return retryMax;
    }

    /** Longest pause after a failure. */
    public void setRetryMax(long retryMax) {
        this.retryMax = retryMax;
    }

    public long getMetricsInterval() {
        return metricsInterval;
    }

    /** Length of a metrics window. Windows end at whole multiples of it. */
    public void setMetricsInterval(long metricsInterval) {
        this.metricsInterval = metricsInterval;
    }

    public long getMetricsRetention() {
        return metricsRetention;
    }

    /**
     * How long a metrics window is kept in the store. Used where there is a
     * dev.streamconnect.spi.MetricsStore.
     */
    public void setMetricsRetention(long metricsRetention) {
        this.metricsRetention = metricsRetention;
    }

    public Boolean getRetryRoute() {
        return retryRoute;
    }

    /**
     * Whether to build the route that sends undelivered messages again, from the template
     * undelivered-retry. By default if there is a store and camel-quartz.
     */
    public void setRetryRoute(Boolean retryRoute) {
        this.retryRoute = retryRoute;
    }

    public long getRetryInterval() {
        return retryInterval;
    }

    /** Time between two runs of the built route that sends undelivered messages again. */
    public void setRetryInterval(long retryInterval) {
        this.retryInterval = retryInterval;
    }

    public Boolean getMetricsRoute() {
        return metricsRoute;
    }

    /**
     * Whether to build the route replication-metrics, which logs each metrics window, from the
     * template of that id. By default it is built where camel-quartz is.
     */
    public void setMetricsRoute(Boolean metricsRoute) {
        this.metricsRoute = metricsRoute;
    }
}
