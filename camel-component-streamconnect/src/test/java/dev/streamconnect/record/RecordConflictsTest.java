package dev.streamconnect.record;

import static dev.streamconnect.record.RecordsText.faults;
import static dev.streamconnect.record.RecordsText.file;
import static dev.streamconnect.record.RecordsText.from;
import static dev.streamconnect.record.RecordsText.read;
import static dev.streamconnect.record.RecordsText.refused;
import static dev.streamconnect.record.RecordsText.to;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RecordConflictsTest {

    @Test
    @Tag("case-H14")
    @DisplayName("H14: a source with two destinations is refused, naming both records")
    void sourceWithTwoDestinations() {
        String text = file(to("a", "x", "y"), to("b", "x", "z"));
        assertThat(faults(text)).containsExactly("10 source-with-two-destinations");
        assertThat(refused(text))
                .hasMessageContaining("'a' (line 9) and 'b' (line 10)")
                .hasMessageContaining("x [localhost:9092]");
        assertThat(faults(file(from("a", "y", "p"), from("b", "y", "q"))))
                .containsExactly("10 source-with-two-destinations");
    }

    @Test
    @Tag("case-H14")
    @DisplayName("H14: a destination used twice is refused, naming both records")
    void destinationUsedTwice() {
        String text = file(to("a", "x", "y"), to("b", "z", "y"));
        assertThat(faults(text)).containsExactly("10 destination-used-twice");
        assertThat(refused(text)).hasMessageContaining("'a' (line 9) and 'b' (line 10)");
    }

    @Test
    @Tag("case-H14")
    @Tag("case-L1")
    @DisplayName("H14, L1: the same pair in both directions is refused, naming both records")
    void bothDirections() {
        String text = file(to("a", "x", "y"), from("b", "y", "x"));
        assertThat(faults(text)).containsExactly("10 loop");
        assertThat(refused(text))
                .hasMessageContaining(
                        "'a' (line 9), 'b' (line 10) copy one pair in both directions")
                .hasMessageContaining("x [localhost:9092] -> y [SN] -> x [localhost:9092]");
    }

    @Test
    @Tag("case-H14")
    @DisplayName("H14: the same record twice is refused once and called so")
    void samePairTwice() {
        assertThat(faults(file(to("a", "x", "y"), to("b", "x", "y"))))
                .containsExactly("10 same-pair-twice");
        assertThat(faults(file(to("a", "x", "y"), to("a", "x", "y"))))
                .containsExactly("10 same-pair-twice", "10 duplicate-id");
    }

    @Test
    void inactiveRecordsMakeNoConflict() {
        String inactive = to("b", "x", "y").replace("}", ", active: false}");
        assertThat(read(file(to("a", "x", "y"), inactive)).topicReplications()).hasSize(2);
        String parent = file(to("a", "x", "y"), from("b", "y", "x"));
        String off =
                parent.replace("connection: plant\n", "connection: plant\n    active: false\n");
        assertThat(read(off).topicReplications()).hasSize(2);
    }

    @Test
    @Tag("case-L1")
    @DisplayName(
            "L1: a loop of several hops, also over two clusters, is refused naming all records")
    void loopOfSeveralHops() {
        String text =
                file(
                        to("a", "x", "h1"),
                        from("b", "h1", "y"),
                        to("c", "y", "h2"),
                        from("d", "h2", "x"));
        assertThat(faults(text)).containsExactly("12 loop");
        assertThat(refused(text))
                .hasMessageContaining("'a' (line 9), 'b' (line 10), 'c' (line 11), 'd' (line 12)");

        String twoClusters =
                """
                version: 1
                connections:
                  - {id: one, bootstrapServers: "one:9092"}
                  - {id: two, bootstrapServers: "two:9092"}
                  - {id: again, bootstrapServers: "other:9092,ONE.:9092"}
                messageReplications:
                  - name: one
                    connection: one
                    topicReplications:
                """
                        + to("a", "x", "h1")
                        + "  - name: two\n    connection: two\n    topicReplications:\n"
                        + from("b", "h1", "x")
                        + to("c", "x", "h2")
                        + "  - name: again\n    connection: again\n    topicReplications:\n"
                        + from("d", "h2", "x");
        assertThat(faults(twoClusters)).containsExactly("19 loop");
        String apart = twoClusters.replace("ONE.:9092", "four:9092");
        assertThat(read(apart).topicReplications()).hasSize(4);
    }

    @Test
    @Tag("case-L1")
    @DisplayName("L1: short and full names, parts and spellings of one topic are one topic")
    void oneTopicInManySpellings() {
        String parts = from("b", "y", "x").replace("}", ", applicationId: sn_streamconnect}");
        String text = file(to("a", "x", "snc.acme.sn_streamconnect.y"), parts);
        assertThat(faults(text)).containsExactly("10 loop");
        assertThat(faults(text, Optional.of("acme"))).containsExactly("10 loop");
    }

    @Test
    void reportsEachOfSeveralLoops() {
        String text =
                file(
                        to("a", "x", "y"),
                        from("b", "y", "x"),
                        to("c", "p", "q"),
                        from("d", "q", "p"),
                        to("tail", "free", "loose"));
        assertThat(faults(text)).containsExactly("10 loop", "12 loop");
    }

    @Test
    void aLongChainWithoutALoopIsNoFault() {
        StringBuilder text = new StringBuilder(file());
        for (int i = 0; i < 1000; i++) {
            text.append(to("t" + i, "x" + i, "h" + i))
                    .append(from("f" + i, "h" + i, "x" + (i + 1)));
        }
        assertThat(read(text.toString()).topicReplications()).hasSize(2000);
        text.append(to("t", "x1000", "h")).append(from("f", "h", "x0"));
        assertThat(faults(text.toString())).containsExactly("2010 loop");
    }
}
