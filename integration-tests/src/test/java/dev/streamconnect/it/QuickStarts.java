package dev.streamconnect.it;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * JVM options that let many replicator processes start in about half the time: one life that ends
 * in peace leaves an archive of its loaded classes to those after it. Such archives know jars only,
 * so folders of the class path are put into jars.
 *
 * @param options of the JVM
 */
record QuickStarts(List<String> options) {

    /**
     * Lets a replicator live once.
     *
     * @param folder takes the archive
     * @param jvmOptions of that life
     */
    static QuickStarts prepare(ReplicatorSettings settings, Path folder, List<String> jvmOptions) {
        String classPath = jars(folder);
        Path archive = folder.resolve("classes.jsa");
        List<String> first = new ArrayList<>(List.of("-cp", classPath, "-Xlog:cds=off"));
        first.add("-XX:ArchiveClassesAtExit=" + archive);
        first.addAll(jvmOptions);
        ReplicatorProcess.start(settings, folder, first).close();
        return new QuickStarts(
                List.of("-cp", classPath, "-Xlog:cds=off", "-XX:SharedArchiveFile=" + archive));
    }

    List<String> with(List<String> more) {
        List<String> all = new ArrayList<>(options);
        all.addAll(more);
        return all;
    }

    private static String jars(Path folder) {
        List<String> entries = new ArrayList<>();
        for (String entry : ReplicatorProcess.classPath().split(java.io.File.pathSeparator)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                entries.add(jar(path, folder.resolve("classes" + entries.size() + ".jar")));
            } else if (entry.endsWith(".jar")) {
                entries.add(entry);
            }
        }
        return String.join(java.io.File.pathSeparator, entries);
    }

    private static String jar(Path classes, Path jar) {
        try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(jar));
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(path -> !path.equals(classes)).toList()) {
                String name = classes.relativize(each).toString().replace('\\', '/');
                // Those who look for resources need the folders, too.
                boolean isFolder = Files.isDirectory(each);
                zip.putNextEntry(new ZipEntry(isFolder ? name + "/" : name));
                if (!isFolder) {
                    Files.copy(each, zip);
                }
                zip.closeEntry();
            }
            return jar.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
