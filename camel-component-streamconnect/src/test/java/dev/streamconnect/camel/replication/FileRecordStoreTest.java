package dev.streamconnect.camel.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.spi.RecordStore;
import dev.streamconnect.spi.RecordStoreContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Records in a file")
class FileRecordStoreTest extends RecordStoreContract {

    private static final String FILE = "replications.yaml";

    @TempDir private Path folder;

    @Override
    protected RecordStore open() {
        return new FileRecordStore(folder.resolve(FILE), RecordsReader.plain());
    }

    @Override
    protected void put(List<String> ids) throws Exception {
        Files.writeString(folder.resolve(FILE), text(ids));
    }

    private static String text(List<String> ids) {
        StringBuilder text =
                new StringBuilder(
                        """
                        version: 1
                        connections:
                          - { id: plant, bootstrapServers: "localhost:9092" }
                        messageReplications:
                          - name: plant
                            connection: plant
                            topicReplications:
                        """);
        for (String id : ids) {
            text.append("      - { id: %1$s, direction: toServiceNow".formatted(id))
                    .append(", topicName: %1$s, serviceNowTopic: %1$s }%n".formatted(id));
        }
        return text.toString();
    }

    @Override
    protected void spoil() throws Exception {
        Files.writeString(folder.resolve(FILE), "version: 1\nconnections: [");
    }

    @Override
    protected void remove() throws Exception {
        Files.delete(folder.resolve(FILE));
    }

    @Test
    @DisplayName("a swap of the folder behind the file is noticed, as Kubernetes does it")
    void configMap() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        for (String version : List.of("1", "2")) {
            Files.writeString(
                    Files.createDirectory(mount.resolve(".." + version)).resolve(FILE),
                    text(List.of("a" + version)));
        }
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(mount.resolve(FILE), Path.of("..data", FILE));
        RecordStore store = new FileRecordStore(mount.resolve(FILE), RecordsReader.plain());
        String first = store.newer(null).orElseThrow().id();

        Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2"));
        Files.move(
                mount.resolve("..data_tmp"),
                mount.resolve("..data"),
                StandardCopyOption.ATOMIC_MOVE);

        assertThat(store.newer(first).orElseThrow().records().topicReplication("a2")).isPresent();
    }
}
