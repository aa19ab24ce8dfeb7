package dev.streamconnect.command;

import dev.streamconnect.preflight.Finding;
import dev.streamconnect.preflight.Outcome;
import dev.streamconnect.preflight.PreflightReport;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Prints what a preflight found as a table for people; a mend stands below its line. */
final class PreflightTable {

    private PreflightTable() {}

    static void print(PreflightReport report, PrintWriter out) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "WHERE", "STAGE", "WHAT", "FOUND"));
        for (Finding finding : report.findings()) {
            rows.add(
                    List.of(
                            finding.outcome().name(),
                            finding.place(),
                            finding.stage().label(),
                            finding.subject(),
                            finding.found()));
        }
        int last = rows.get(0).size() - 1;
        int[] widths = IntStream.range(0, last).map(column -> width(rows, column)).toArray();
        for (int row = 0; row < rows.size(); row++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < last; i++) {
                line.append(String.format("%-" + widths[i] + "s  ", rows.get(row).get(i)));
            }
            out.println(line.append(rows.get(row).get(last)));
            String mend = row == 0 ? null : report.findings().get(row - 1).mend();
            if (mend != null) {
                out.println(" ".repeat(widths[0]) + "  -> " + mend);
            }
        }
        out.println(summary(report));
    }

    private static String summary(PreflightReport report) {
        return "preflight: "
                + (report.green() ? "green" : "red")
                + ": ok="
                + report.count(Outcome.OK)
                + " warnings="
                + report.count(Outcome.WARN)
                + " failures="
                + report.count(Outcome.FAIL)
                + " skipped="
                + report.count(Outcome.SKIPPED)
                + " in "
                + report.took().toMillis()
                + " ms";
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }
}
