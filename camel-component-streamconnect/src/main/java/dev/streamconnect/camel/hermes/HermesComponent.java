package dev.streamconnect.camel.hermes;

import dev.streamconnect.camel.CheckedValues;
import dev.streamconnect.camel.ContextEngine;
import dev.streamconnect.camel.UnknownOptions;
import dev.streamconnect.cluster.ClientProperties;
import dev.streamconnect.cluster.TlsMaterial;
import dev.streamconnect.cluster.TlsOptions;
import dev.streamconnect.cluster.WatchedTls;
import dev.streamconnect.engine.HermesRates;
import dev.streamconnect.spi.CertificateIssuer;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.spi.Metadata;
import org.apache.camel.spi.PropertyConfigurer;
import org.apache.camel.spi.annotations.Component;
import org.apache.camel.support.CamelContextHelper;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.util.PropertiesHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes {@code hermes:} endpoints and holds the options that they share. */
@Component("hermes")
public class HermesComponent extends DefaultComponent {

    private static final Logger LOG = LoggerFactory.getLogger(HermesComponent.class);
    private static final List<String> PROXIES =
            List.of("https.proxyHost", "http.proxyHost", "socksProxyHost");

    /** Names of options and Kafka properties that hold secrets. */
    private static final Pattern SECRET =
            Pattern.compile("password|secret|jaas|keystore\\.key$", Pattern.CASE_INSENSITIVE);

    private static final long CERTIFICATES_SECONDS = 5;

    private final Map<TlsOptions, WatchedTls> opened = new ConcurrentHashMap<>();

    @Metadata private HermesConfiguration configuration = new HermesConfiguration();

    @Metadata(label = "producer", defaultValue = "0")
    private long maxProducedBytesPerSecond;

    @Metadata(label = "consumer", defaultValue = "0")
    private long maxConsumedBytesPerSecond;

    @Metadata(label = "advanced", defaultValue = "32")
    private int maxTopicPartitions = 32;

    @Metadata(label = "advanced", defaultValue = "960")
    private int maxPartitions = 960;

    // Not autowired: Camel would look for it at a stub in this component's place, too.
    @Metadata(label = "security,advanced")
    private CertificateIssuer certificateIssuer;

    @Metadata(label = "security")
    private String storeDownloads;

    private ScheduledExecutorService certificates;

    /** Client properties of which a warning was logged. */
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public HermesComponent() {}

    public HermesComponent(CamelContext context) {
        super(context);
    }

    @Override
    public PropertyConfigurer getComponentPropertyConfigurer() {
        return CheckedValues.of(super.getComponentPropertyConfigurer());
    }

    @Override
    public PropertyConfigurer getEndpointPropertyConfigurer() {
        return CheckedValues.of(super.getEndpointPropertyConfigurer());
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters)
            throws Exception {
        warnOfSecrets(remaining, parameters.keySet());
        HermesConfiguration own = configuration.copy();
        HermesEndpoint endpoint = new HermesEndpoint(uri, this, remaining, own);
        own.getProducerProperties()
                .putAll(PropertiesHelper.extractProperties(parameters, "producer."));
        own.getConsumerProperties()
                .putAll(PropertiesHelper.extractProperties(parameters, "consumer."));
        setProperties(endpoint, parameters);
        UnknownOptions.refuse(
                getCamelContext(), "hermes", "hermes:" + remaining, parameters.keySet());
        return endpoint;
    }

    /** Camel's own console of endpoints shows URIs as they are written. */
    private static void warnOfSecrets(String topic, Set<String> names) {
        List<String> secrets =
                names.stream().filter(name -> SECRET.matcher(name).find()).sorted().toList();
        if (!secrets.isEmpty()) {
            LOG.warn(
                    "hermes:{}: the URI has {}, which Camel's consoles show to whoever may look at them; give it by"
                            + " camel.component.hermes",
                    topic,
                    secrets);
        }
    }

    /**
     * The component's own options, checked: where {@code replication:} finds Hermes.
     *
     * @throws IllegalArgumentException one line a fault: option, reason, mend
     */
    public HermesSettings settings() {
        return settings(configuration, null);
    }

    /**
     * As {@link #settings()}, for one who judges the certificate: dates and another instance are
     * taken, and where a store cannot be used the settings are without stores.
     *
     * @param onFault told why a store cannot be used, one line
     * @throws IllegalArgumentException for the other options
     */
    public HermesSettings settingsToJudge(Consumer<String> onFault) {
        HermesConfiguration form =
                DevelopmentCertificate.complete(configuration, certificateIssuer).copy();
        form.setAllowInstanceMismatch(true);
        return HermesSettings.of(
                form,
                null,
                options -> {
                    try {
                        return WatchedTls.fixed(TlsMaterial.loadOfAnyTime(options));
                    } catch (IllegalArgumentException e) {
                        onFault.accept(e.getMessage());
                        return WatchedTls.fixed(TlsMaterial.none());
                    }
                });
    }

    HermesSettings settings(HermesConfiguration form, String topic) {
        warnOfUnknown("producerProperties", form.getProducerProperties());
        warnOfUnknown("consumerProperties", form.getConsumerProperties());
        return HermesSettings.of(
                DevelopmentCertificate.complete(form, certificateIssuer), topic, this::material);
    }

    private void warnOfUnknown(String option, Map<String, Object> properties) {
        for (String name : properties.keySet()) {
            ClientProperties.warning(properties.keySet(), name)
                    .filter(warning -> warned.add(option + "[" + name + "]"))
                    .ifPresent(warning -> LOG.warn("{}[{}]: {}", option, name, warning));
        }
    }

    private WatchedTls material(TlsOptions options) {
        return opened.computeIfAbsent(
                options,
                key -> {
                    if (!key.hostnameVerification()) {
                        LOG.warn(
                                "hostnameVerification=false: a broker's certificate is taken whatever host it names,"
                                        + " so a machine in between can read and change messages");
                    }
                    return WatchedTls.open(key, Clock.systemUTC());
                });
    }

    @Override
    protected void doInit() throws Exception {
        super.doInit();
        if (certificateIssuer == null) {
            certificateIssuer =
                    CamelContextHelper.findSingleByType(getCamelContext(), CertificateIssuer.class);
        }
        PROXIES.stream()
                .filter(name -> System.getProperty(name) != null)
                .findFirst()
                .ifPresent(
                        name ->
                                LOG.warn(
                                        "the JVM property {} does not apply to Hermes: Kafka traffic is TCP with mTLS,"
                                                + " which goes through no proxy; the ports must be open",
                                        name));
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        ContextEngine.of(getCamelContext())
                .setRates(new HermesRates(maxProducedBytesPerSecond, maxConsumedBytesPerSecond));
        CertificateTasks tasks = certificateTasks();
        if (tasks != null) {
            certificates =
                    getCamelContext()
                            .getExecutorServiceManager()
                            .newSingleThreadScheduledExecutor(this, "StreamConnectCertificates");
            certificates.scheduleWithFixedDelay(
                    tasks::runOnce, 0, CERTIFICATES_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Null if nobody keeps the certificate fresh. */
    private CertificateTasks certificateTasks() {
        try {
            return CertificateTasks.of(
                    DevelopmentCertificate.complete(configuration, certificateIssuer),
                    certificateIssuer == null
                            ? DevelopmentCertificate.issuer(configuration)
                            : certificateIssuer,
                    storeDownloads,
                    Clock.systemUTC(),
                    fault -> opened.values().forEach(tls -> tls.renewalFault(fault)));
        } catch (IllegalArgumentException e) {
            LOG.debug("who uses the certificate says what is wrong with it", e);
            return null;
        }
    }

    @Override
    protected void doStop() throws Exception {
        if (certificates != null) {
            getCamelContext().getExecutorServiceManager().shutdownNow(certificates);
            certificates = null;
        }
        opened.clear();
        super.doStop();
    }

    public long getMaxProducedBytesPerSecond() {
        return maxProducedBytesPerSecond;
    }

    /**
     * Largest rate in bytes a second at which this node sends to Hermes, all topics and routes of
     * the context together; key, value and headers, uncompressed. What is over it waits at its
     * source. 0 for no limit.
     */
    public void setMaxProducedBytesPerSecond(long maxProducedBytesPerSecond) {
        this.maxProducedBytesPerSecond = maxProducedBytesPerSecond;
    }

    public long getMaxConsumedBytesPerSecond() {
        return maxConsumedBytesPerSecond;
    }

    /**
     * Largest rate in bytes a second at which this node reads from Hermes, all topics, routes and
     * both sides together; key, value and headers, uncompressed. 0 for no limit.
     */
    public void setMaxConsumedBytesPerSecond(long maxConsumedBytesPerSecond) {
        this.maxConsumedBytesPerSecond = maxConsumedBytesPerSecond;
    }

    public int getMaxTopicPartitions() {
        return maxTopicPartitions;
    }

    /** Most partitions that a topic of the instance may have; the preflight goes by it. */
    public void setMaxTopicPartitions(int maxTopicPartitions) {
        this.maxTopicPartitions = maxTopicPartitions;
    }

    public int getMaxPartitions() {
        return maxPartitions;
    }

    /** Most partitions that all topics of the instance may have; the preflight goes by it. */
    public void setMaxPartitions(int maxPartitions) {
        this.maxPartitions = maxPartitions;
    }

    public CertificateIssuer getCertificateIssuer() {
        return certificateIssuer;
    }

    /**
     * Has the certificate of the component's keystore issued anew when a third of its life is left;
     * the new one takes the file's place. The only bean of that type is used by itself. With
     * developmentAuthority the local authority is the issuer.
     */
    public void setCertificateIssuer(CertificateIssuer certificateIssuer) {
        this.certificateIssuer = certificateIssuer;
    }

    public String getStoreDownloads() {
        return storeDownloads;
    }

    /**
     * Folder that is watched for downloaded stores, whatever their names: a keystore of the same
     * subject and password that ends later takes the place of the component's keystore, a newer
     * truststore that of its truststore.
     */
    public void setStoreDownloads(String storeDownloads) {
        this.storeDownloads = storeDownloads;
    }

    public HermesConfiguration getConfiguration() {
        return configuration;
    }

    /** The options that endpoints start from. */
    public void setConfiguration(HermesConfiguration configuration) {
        this.configuration = configuration;
    }
}
