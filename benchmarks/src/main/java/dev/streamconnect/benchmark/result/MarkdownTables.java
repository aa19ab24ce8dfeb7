package dev.streamconnect.benchmark.result;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A report as Markdown. Its tables are aligned, so that they can be read on a console, too. */
public final class MarkdownTables {

    private static final List<Figure> RATIOS =
            List.of(
                    Figure.RECORDS_PER_SECOND,
                    Figure.CPU_SECONDS_PER_MILLION,
                    Figure.P50_MILLIS,
                    Figure.P99_MILLIS);

    private MarkdownTables() {}

    /**
     * @param baseline the contender that the others are compared with
     * @param picture file name of the picture
     */
    public static String of(Report report, String baseline, String picture) {
        StringBuilder text = new StringBuilder();
        text.append("# Benchmark of ").append(report.date()).append(" UTC\n\n");
        text.append("Medians of the runs. Ratios are those of runs in the same repetition to `")
                .append(baseline)
                .append("`: their median, and its 95 % interval (bootstrap) where there are")
                .append(" several. Latency is from when a record was due.\n\n![rates](")
                .append(picture)
                .append(")\n");
        for (WorkloadResult workload : report.workloads()) {
            text.append("\n## ").append(workload.name()).append("\n\n");
            text.append(workload.description()).append("\n\n");
            text.append(table(workload, baseline));
            workload.failures()
                    .forEach(failure -> text.append("\nNo figures: ").append(failure).append('\n'));
        }
        if (report.bars().stream().anyMatch(bar -> bar.met() != null)) {
            text.append("\n## Bars\n\n").append(bars(report.bars()));
        }
        pairs(text, "Machine", report.machine());
        pairs(text, "Versions", report.versions());
        pairs(text, "Settings", report.settings());
        return text.toString();
    }

    /** One workload: a row for each contender. */
    public static String table(WorkloadResult workload, String baseline) {
        List<Figure> figures = new ArrayList<>();
        for (Figure figure : Figure.values()) {
            if (workload.runs().stream().anyMatch(run -> run.figures().containsKey(figure))) {
                figures.add(figure);
            }
        }
        List<Figure> ratios =
                RATIOS.stream()
                        .filter(figures::contains)
                        .filter(figure -> workload.contenders().contains(baseline))
                        .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("contender", "runs"));
        figures.forEach(figure -> head.add(figure.label()));
        ratios.forEach(figure -> head.add("ratio " + figure.label()));
        head.add("kept");
        rows.add(head);
        for (String contender : workload.contenders()) {
            List<Run> runs = workload.runsOf(contender);
            List<String> row = new ArrayList<>(List.of(contender, Integer.toString(runs.size())));
            figures.forEach(figure -> row.add(figure.format(workload.median(contender, figure))));
            ratios.forEach(
                    figure -> row.add(workload.pairedRatio(contender, baseline, figure).format(2)));
            row.add(runs.stream().map(Run::kept).distinct().collect(Collectors.joining("; ")));
            rows.add(row);
        }
        return aligned(rows);
    }

    private static String bars(List<Bar.Verdict> verdicts) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("workload", "what", "bar", "measured", "verdict"));
        for (Bar.Verdict verdict : verdicts) {
            if (verdict.met() != null) {
                rows.add(
                        List.of(
                                verdict.workload(),
                                verdict.text(),
                                verdict.bar(),
                                Numbers.format(verdict.value(), 2),
                                verdict.met() ? "met" : "**missed**"));
            }
        }
        return aligned(rows);
    }

    private static void pairs(StringBuilder text, String title, Map<String, String> pairs) {
        text.append("\n## ").append(title).append("\n\n");
        pairs.forEach(
                (name, value) ->
                        text.append("- ").append(name).append(": ").append(value).append('\n'));
    }

    /** The first row is the head. */
    private static String aligned(List<List<String>> rows) {
        int columns = rows.get(0).size();
        List<Integer> widths = new ArrayList<>(Collections.nCopies(columns, 3));
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths.set(i, Math.max(widths.get(i), row.get(i).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < rows.size(); r++) {
            for (int i = 0; i < columns; i++) {
                String cell = rows.get(r).get(i);
                String space = " ".repeat(widths.get(i) - cell.length());
                // Words to the left, numbers to the right.
                boolean left = i == 0 || r == 0 || !cell.matches("[-\\d.,]*");
                text.append(left ? "| " + cell + space : "| " + space + cell).append(' ');
            }
            text.append("|\n");
            if (r == 0) {
                widths.forEach(width -> text.append('|').append("-".repeat(width + 2)));
                text.append("|\n");
            }
        }
        return text.toString();
    }
}
