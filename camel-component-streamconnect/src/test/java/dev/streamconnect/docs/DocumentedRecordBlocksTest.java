package dev.streamconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.docs.Documents.Text;
import dev.streamconnect.record.RecordsReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The records of the pages and samples")
class DocumentedRecordBlocksTest {

    static Stream<Text> records() throws IOException {
        return Documents.texts("yaml").stream()
                .filter(text -> text.content().contains("messageReplications:"));
    }

    @ParameterizedTest
    @MethodSource("records")
    @DisplayName("are valid")
    void valid(Text records) {
        RecordsReader reader =
                new RecordsReader(
                        text -> text.replace("{{local.bootstrap}}", "localhost:9092"),
                        Optional.of(HermesInstance.of("acme")));
        byte[] content = records.content().getBytes(StandardCharsets.UTF_8);
        assertThat(
                        reader.read(new ByteArrayInputStream(content), records.place())
                                .topicReplications())
                .isNotEmpty();
    }
}
