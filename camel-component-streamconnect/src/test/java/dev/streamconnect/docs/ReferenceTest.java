package dev.streamconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With {@code -Dreference=write} the tables are written instead of compared. */
@DisplayName("The reference tables")
class ReferenceTest {

    private static final String WRITE =
            "they are written by mvn -pl camel-component-streamconnect -am test -Dtest=ReferenceTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Dreference=write";

    private static final Pattern TABLE =
            Pattern.compile("(?s)(<!-- reference: ([\\w ]+) -->\\n).*?(<!-- end of reference -->)");

    @ParameterizedTest
    @CsvSource({
        "hermes.md, hermes options;hermes headers",
        "replication.md, replication options;replication headers",
        "records.md, records;records connection;records credential;records ssl;records sasl;"
                + "records messageReplication;records topicReplication"
    })
    @DisplayName("are those of the metadata of components and records")
    void tables(String page, String names) throws IOException {
        Path file = Documents.ROOT.resolve("docs").resolve(page);
        String text = Files.readString(file);
        boolean write = "write".equals(System.getProperty("reference"));
        List<String> found = new ArrayList<>();
        StringBuilder written = new StringBuilder();
        Matcher table = TABLE.matcher(text);
        while (table.find()) {
            String name = table.group(2);
            found.add(name);
            String expected = table.group(1) + ReferenceTables.table(name) + table.group(3);
            if (!write) {
                assertThat(table.group()).as("%s in %s; %s", name, page, WRITE).isEqualTo(expected);
            }
            table.appendReplacement(written, Matcher.quoteReplacement(expected));
        }
        table.appendTail(written);
        assertThat(found).containsExactlyInAnyOrder(names.split(";"));
        if (write) {
            Files.writeString(file, written);
        }
    }
}
