package dev.streamconnect.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The TLS material of a connection, following its files. New files are a <em>candidate</em> when
 * two looks in a row found the same content and it can be used; until somebody accepts it, and
 * whatever is in the files, the material in effect stays what it was. Thread-safe.
 *
 * <p>Content is compared, not names, dates or formats, so that links, mounts and quick edits are
 * all seen. Clients take what is in effect with each new connection; see {@link WatchedSslEngines}.
 */
public final class WatchedTls {

    /** Where {@link #properties} has this object, for {@link KafkaClients}. */
    static final String PROPERTY = "streamconnect.tls";

    /** What could not be used is judged again after this: a clock goes on, a right is given. */
    private static final Duration AGAIN = Duration.ofSeconds(10);

    private final TlsOptions options;
    private final Clock clock;
    private volatile Consumer<TlsMaterial> rule = material -> {};
    private volatile TlsMaterial current;
    private volatile TlsMaterial candidate;
    private volatile String fault;
    private volatile String renewalFault;
    private String inEffect;
    private String seen;
    private String judged;
    private Instant judgedAt = Instant.EPOCH;

    private WatchedTls(TlsOptions options, TlsMaterial current, String inEffect, Clock clock) {
        this.options = options;
        this.current = current;
        this.inEffect = inEffect;
        this.clock = clock;
    }

    /**
     * Opens and checks the stores.
     *
     * @throws IllegalArgumentException one line with the option, the reason and the mend; never a
     *     secret
     */
    public static WatchedTls open(TlsOptions options, Clock clock) {
        String before = content(options);
        TlsMaterial material = TlsMaterial.load(options, clock);
        return new WatchedTls(options, material, before, clock);
    }

    /** Material that follows no file. */
    public static WatchedTls fixed(TlsMaterial material) {
        return new WatchedTls(null, material, "", Clock.systemUTC());
    }

    /**
     * What else must hold for new material.
     *
     * @param check throws an {@link IllegalArgumentException} of one line
     */
    public void require(Consumer<TlsMaterial> check) {
        rule = check;
    }

    /**
     * Looks at the files once; reads them whole.
     *
     * @return true if there is a candidate
     */
    public synchronized boolean look() {
        if (options == null) {
            return false;
        }
        String now = content(options);
        boolean still = now.equals(seen);
        seen = now;
        if (now.equals(inEffect)) {
            candidate = null;
            fault = null;
            judged = null;
            return false;
        }
        if (!still) {
            candidate = null;
            return false;
        }
        boolean again = !judgedAt.plus(AGAIN).isAfter(clock.instant());
        if (!now.equals(judged) || (candidate == null && again)) {
            judge(now);
        }
        return candidate != null;
    }

    private void judge(String content) {
        candidate = null;
        judged = content;
        judgedAt = clock.instant();
        try {
            TlsMaterial next = TlsMaterial.load(options, clock);
            rule.accept(next);
            if (content(options).equals(content)) {
                candidate = next;
                fault = null;
            } else {
                judged = null;
            }
        } catch (IllegalArgumentException e) {
            fault = e.getMessage();
        }
    }

    /** Material of the newest files that is not in effect yet; null for none. */
    public TlsMaterial candidate() {
        return candidate;
    }

    /** Puts the candidate into effect; does nothing if it is another one by now. */
    public synchronized void accept(TlsMaterial taken) {
        if (taken != null && taken == candidate) {
            current = taken;
            inEffect = judged;
            candidate = null;
            fault = null;
        }
    }

    /** The candidate can't be used now: says why, until it is accepted or another one comes. */
    public synchronized void refuse(TlsMaterial refused, String reason) {
        if (refused == candidate) {
            fault = reason;
        }
    }

    /** What is in effect. */
    public TlsMaterial current() {
        return current;
    }

    /** Why the newest files are not in effect, one line; null if they are. */
    public String fault() {
        return fault;
    }

    /** Why no new certificate can be had, one line; null if that is not known. */
    public String renewalFault() {
        return renewalFault;
    }

    /**
     * The last try to have a new certificate issued failed, or did not.
     *
     * @param reason one line; null takes it back
     */
    public void renewalFault(String reason) {
        renewalFault = reason;
    }

    /** Where the keystore is, for people; empty if it is in no file. */
    public String place() {
        return options == null
                        || options.keystore() == null
                        || options.keystore().location() == null
                ? ""
                : options.keystore().place();
    }

    /**
     * The {@code ssl.*} properties of a Kafka client, as {@link TlsMaterial#properties()}, with
     * what lets clients of {@link KafkaClients} follow the files.
     */
    public Map<String, Object> properties() {
        Map<String, Object> all = new LinkedHashMap<>(current.properties());
        if (current.keystore() != null || current.truststore() != null) {
            all.put(PROPERTY, this);
        }
        return Collections.unmodifiableMap(all);
    }

    /**
     * Leaves the files alone where the user's own client properties name other stores.
     *
     * @param properties of a client, changed
     * @param users what of them the user wrote
     */
    public static void yieldTo(Map<String, Object> properties, Map<String, ?> users) {
        if (users.keySet().stream().anyMatch(WatchedSslEngines::isOwnStore)) {
            properties.remove(PROPERTY);
        }
    }

    /** Names the certificate, never a password. */
    @Override
    public String toString() {
        return "WatchedTls[" + current + "]";
    }

    private static String content(TlsOptions options) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            add(digest, options.keystore());
            add(digest, options.truststore());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void add(MessageDigest digest, TlsStore store) {
        if (store == null || store.location() == null) {
            return;
        }
        Path path = Path.of(store.location());
        try {
            byte[] bytes =
                    Files.size(path) > StoreReader.MAX_BYTES
                            ? new byte[0]
                            : Files.readAllBytes(path);
            digest.update(
                    (bytes.length + ":").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            digest.update(bytes);
        } catch (IOException e) {
            digest.update((byte) '-');
        }
    }
}
