package dev.streamconnect.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A folder into which somebody puts stores that the instance's certificate generator made, under
 * whatever name. One that is better than the store in use takes its place:
 *
 * <ul>
 *   <li>a keystore of the same subject whose certificate holds now and ends later;
 *   <li>a truststore that was put there after the one in use was written.
 * </ul>
 *
 * <p>The folder itself is never changed. One thread at a time.
 */
public final class DownloadedStores {

    private static final long MAX_BYTES = 1024 * 1024;

    /** Opening a store costs some milliseconds; the same files are opened again after this. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final Path folder;
    private final StoreFiles files;
    private final Clock clock;
    private final Map<Path, String> faults = new TreeMap<>();
    private String seen = "";
    private Instant lookAgain = Instant.EPOCH;

    /**
     * @param files the stores in use, which are replaced
     */
    public DownloadedStores(Path folder, StoreFiles files, Clock clock) {
        this.folder = folder;
        this.files = files;
        this.clock = clock;
    }

    /**
     * Looks at the folder once.
     *
     * @return true if a store was replaced
     * @throws IOException if the folder can't be read or the stores not be written; the call may be
     *     repeated
     */
    public boolean runOnce() throws IOException, GeneralSecurityException {
        List<Path> found;
        try (Stream<Path> all = Files.list(folder)) {
            found = all.filter(DownloadedStores::isCandidate).sorted().toList();
        }
        String now = state(found);
        if (now.equals(seen) && clock.instant().isBefore(lookAgain)) {
            return false;
        }
        seen = now;
        lookAgain = clock.instant().plus(AGAIN);
        faults.clear();
        Map<Path, X509Certificate> keystores = new TreeMap<>();
        List<Path> truststores = new ArrayList<>();
        for (Path file : found) {
            Optional<X509Certificate> own = certificate(file);
            if (own.isPresent()) {
                keystores.put(file, own.get());
            } else if (isTruststore(file)) {
                truststores.add(file);
            } else {
                faults.put(file, "is no store, is cut off, or has another password");
            }
        }
        boolean replaced = takeTruststore(truststores);
        return takeKeystore(keystores) | replaced;
    }

    /** What of the last look can't be used, one line; empty if all can, or nothing is there. */
    public String fault() {
        return String.join(
                "; ",
                faults.entrySet().stream()
                        .map(fault -> fault.getKey() + " " + fault.getValue())
                        .toList());
    }

    private String state(List<Path> found) throws IOException {
        List<Path> all = new ArrayList<>(found);
        all.add(files.keyStore());
        StringBuilder state = new StringBuilder();
        for (Path file : all) {
            state.append(file)
                    .append(Files.size(file))
                    .append(Files.getLastModifiedTime(file))
                    .append('\n');
        }
        return state.toString();
    }

    private static boolean isCandidate(Path file) {
        try {
            return Files.isRegularFile(file)
                    && !file.getFileName().toString().startsWith(".")
                    && Files.size(file) <= MAX_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean takeKeystore(Map<Path, X509Certificate> found)
            throws IOException, GeneralSecurityException {
        X509Certificate present = files.ownCertificate();
        if (present == null) {
            return false;
        }
        Optional<Path> best =
                found.keySet().stream()
                        .filter(file -> isBetter(file, found.get(file), present))
                        .max(Comparator.comparing(file -> found.get(file).getNotAfter()));
        if (best.isPresent()) {
            OwnerOnlyFiles.write(files.keyStore(), Files.readAllBytes(best.get()));
        }
        return best.isPresent();
    }

    private Optional<X509Certificate> certificate(Path file) {
        try {
            return Optional.ofNullable(
                    KeyStores.ownCertificate(file, files.keyStorePassword().toCharArray()));
        } catch (IOException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private boolean isBetter(Path file, X509Certificate own, X509Certificate present) {
        if (!own.getSubjectX500Principal().equals(present.getSubjectX500Principal())) {
            faults.put(file, "is of " + own.getSubjectX500Principal().getName());
            return false;
        }
        Date now = Date.from(clock.instant());
        return own.getNotAfter().after(present.getNotAfter())
                && own.getNotAfter().after(now)
                && !own.getNotBefore().after(now);
    }

    private boolean takeTruststore(List<Path> found) throws IOException {
        Path newest = files.trustStore();
        for (Path file : found) {
            newest = isNewer(file, newest) ? file : newest;
        }
        if (newest == files.trustStore()) {
            return false;
        }
        byte[] content = Files.readAllBytes(newest);
        if (Arrays.equals(content, Files.readAllBytes(files.trustStore()))) {
            return false;
        }
        OwnerOnlyFiles.write(files.trustStore(), content);
        return true;
    }

    private boolean isTruststore(Path file) {
        if (files.trustStore() == null) {
            return false;
        }
        try {
            char[] password = files.trustStorePassword().toCharArray();
            return KeyStores.ownCertificate(file, password) == null
                    && !KeyStores.readTrustStore(file, password).isEmpty();
        } catch (IOException | GeneralSecurityException e) {
            return false;
        }
    }

    private static boolean isNewer(Path file, Path than) throws IOException {
        return Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(than)) > 0;
    }
}
