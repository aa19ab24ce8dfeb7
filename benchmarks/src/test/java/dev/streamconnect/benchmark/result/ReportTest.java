package dev.streamconnect.benchmark.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

@DisplayName("A report")
class ReportTest {

    private static final String BARE = "bare loop";
    private static final String ROUTE = "replication batch";

    private static Run run(String contender, int repetition, double rate, double cpu) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.RECORDS_PER_SECOND, rate);
        figures.put(Figure.CPU_SECONDS_PER_MILLION, cpu);
        return new Run(contender, repetition, figures, "key, value");
    }

    /** The machine is half as fast in the second repetition; the ratio is 0.9 in each. */
    private static WorkloadResult workload() {
        return new WorkloadResult(
                "512B",
                "512 bytes <plain>",
                List.of(
                        run(BARE, 0, 200_000, 4),
                        run(ROUTE, 0, 180_000, 5),
                        run(ROUTE, 1, 90_000, 10),
                        run(BARE, 1, 100_000, 8)),
                List.of("MirrorMaker 2, run 1: it ended"));
    }

    private static Report report() {
        List<Bar> bars = new ArrayList<>();
        bars.add(bar("512B", false, 0.85));
        bars.add(bar("512B", false, 0.95));
        bars.add(bar("other", true, 1));
        return new Report(
                "2026-12-01 00:10",
                Map.of("processor", "two cores"),
                Map.of("Java", "17"),
                Map.of("run", "20 s"),
                List.of(workload()),
                Bar.look(bars, List.of(workload())));
    }

    private static Bar bar(String workload, boolean most, double limit) {
        return new Bar(
                workload,
                "rate",
                measured ->
                        measured.of(workload)
                                .pairedRatio(ROUTE, BARE, Figure.RECORDS_PER_SECOND)
                                .median(),
                most,
                limit);
    }

    @Test
    @DisplayName("compares runs of the same repetition, so that a slow minute falls out")
    void pairs() {
        assertThat(workload().pairedRatio(ROUTE, BARE, Figure.RECORDS_PER_SECOND))
                .isEqualTo(new Interval(0.9, 0.9, 0.9, 2));
        assertThat(workload().pairedRatio(ROUTE, BARE, Figure.CPU_SECONDS_PER_MILLION))
                .isEqualTo(new Interval(1.25, 1.25, 1.25, 2));
        assertThat(workload().pairedRatio("none", BARE, Figure.RECORDS_PER_SECOND).size()).isZero();
    }

    @Test
    @DisplayName("tells of each bar whether it was met, missed or not measured")
    void bars() {
        assertThat(report().bars()).extracting(Bar.Verdict::met).containsExactly(true, false, null);
        assertThat(MarkdownTables.of(report(), BARE, "a.svg"))
                .contains("| met", "| **missed**")
                .doesNotContain("| other");
    }

    @Test
    @DisplayName("is a table for people, with failures, machine, versions and settings")
    void table() {
        assertThat(MarkdownTables.of(report(), BARE, "a.svg"))
                .contains("![rates](a.svg)", "MirrorMaker 2, run 1: it ended")
                .contains("- processor: two cores", "- Java: 17", "- run: 20 s");
        assertThat(MarkdownTables.table(workload(), BARE))
                .isEqualTo(
                        """
                        | contender         | runs | records/s | CPU-s per million | ratio records/s  | ratio CPU-s per million | kept       |
                        |-------------------|------|-----------|-------------------|------------------|-------------------------|------------|
                        | bare loop         |    2 |   150,000 |              6.00 | 1.00 (1.00–1.00) | 1.00 (1.00–1.00)        | key, value |
                        | replication batch |    2 |   135,000 |              7.50 | 0.90 (0.90–0.90) | 1.25 (1.25–1.25)        | key, value |
                        """);
    }

    @Test
    @DisplayName("is JSON with every run, that can be read again")
    void json() {
        assertThat(JsonFile.read(JsonFile.of(report()))).isEqualTo(report());
    }

    @Test
    @DisplayName("is a picture: two bars a contender, as long as its ratios")
    void picture() throws Exception {
        Document svg =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(SvgPicture.of(report(), BARE))));
        var bars = svg.getElementsByTagName("rect");
        assertThat(bars.getLength()).isEqualTo(4);
        double bare = width(bars.item(0));
        double route = width(bars.item(2));
        assertThat(route / bare).isBetween(0.89, 0.91);
    }

    private static double width(org.w3c.dom.Node bar) {
        return Double.parseDouble(bar.getAttributes().getNamedItem("width").getNodeValue());
    }
}
