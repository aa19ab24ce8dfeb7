package dev.streamconnect.benchmark.result;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Bars for each workload and contender: the rate and the CPU as ratios to the baseline, with their
 * intervals. Plain SVG that shows on light and dark pages.
 */
public final class SvgPicture {

    private static final int WIDTH = 960;
    private static final int LEFT = 170;
    private static final int PANEL = 300;
    private static final int GAP = 120;
    private static final int ROW = 22;
    private static final int BAR = 12;
    private static final List<Figure> PANELS =
            List.of(Figure.RECORDS_PER_SECOND, Figure.CPU_SECONDS_PER_MILLION);

    private SvgPicture() {}

    /**
     * @param baseline the contender whose bars are 1
     */
    public static String of(Report report, String baseline) {
        List<WorkloadResult> shown =
                report.workloads().stream()
                        .filter(workload -> workload.contenders().contains(baseline))
                        .filter(SvgPicture::hasRates)
                        .toList();
        StringBuilder body = new StringBuilder();
        int y = 50;
        for (WorkloadResult workload : shown) {
            text(body, 10, y, "start", "name", workload.name());
            y += 20;
            for (String contender : byRate(workload)) {
                row(body, y, workload, contender, baseline);
                y += ROW;
            }
            y += 14;
        }
        StringBuilder heads = new StringBuilder();
        for (int panel = 0; panel < PANELS.size(); panel++) {
            int x = LEFT + panel * (PANEL + GAP);
            text(
                    heads,
                    x,
                    22,
                    "start",
                    "name",
                    title(PANELS.get(panel)) + " (" + baseline + " = 1)");
        }
        return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
        <style>
        text { fill: #333 } .name { font-weight: bold } .bar { fill: #4477aa } .base { fill: #999999 }
        .spread { stroke: #cc3311; stroke-width: 2 } .one { stroke: #888888; stroke-dasharray: 3 3 }
        @media (prefers-color-scheme: dark) { text { fill: #ddd } }
        </style>
        %s%s</svg>
        """
                .formatted(WIDTH, y, heads, body);
    }

    private static boolean hasRates(WorkloadResult workload) {
        return workload.runs().stream()
                .anyMatch(run -> run.figures().containsKey(Figure.RECORDS_PER_SECOND));
    }

    private static String title(Figure figure) {
        return figure == Figure.RECORDS_PER_SECOND ? "rate, more is better" : "CPU, less is better";
    }

    private static List<String> byRate(WorkloadResult workload) {
        return workload.contenders().stream()
                .sorted(
                        Comparator.comparingDouble(
                                name -> -workload.median(name, Figure.RECORDS_PER_SECOND)))
                .toList();
    }

    private static void row(
            StringBuilder svg, int y, WorkloadResult workload, String contender, String baseline) {
        text(svg, LEFT - 8, y + BAR - 2, "end", "label", contender);
        for (int panel = 0; panel < PANELS.size(); panel++) {
            Figure figure = PANELS.get(panel);
            Interval ratio = workload.pairedRatio(contender, baseline, figure);
            if (ratio.size() == 0) {
                continue;
            }
            double most = most(workload, baseline, figure);
            int left = LEFT + panel * (PANEL + GAP);
            double unit = PANEL / most;
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                            contender.equals(baseline) ? "base" : "bar",
                            left,
                            y,
                            Math.max(1, ratio.median() * unit),
                            BAR));
            line(svg, "one", left + unit, y - 4, left + unit, y + BAR + 4);
            if (ratio.size() > 1) {
                double middle = y + BAR / 2.0;
                line(
                        svg,
                        "spread",
                        left + ratio.low() * unit,
                        middle,
                        left + ratio.high() * unit,
                        middle);
            }
            text(
                    svg,
                    left + PANEL + 6,
                    y + BAR - 2,
                    "start",
                    "label",
                    Numbers.format(ratio.median(), 2)
                            + (panel == 0
                                    ? "  "
                                            + figure.format(workload.median(contender, figure))
                                            + "/s"
                                    : ""));
        }
    }

    private static double most(WorkloadResult workload, String baseline, Figure figure) {
        return workload.contenders().stream()
                .map(name -> workload.pairedRatio(name, baseline, figure))
                .filter(ratio -> ratio.size() > 0)
                .mapToDouble(ratio -> Math.max(1, ratio.high()))
                .max()
                .orElse(1);
    }

    private static void line(
            StringBuilder svg, String type, double x1, double y1, double x2, double y2) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                        type,
                        x1,
                        y1,
                        x2,
                        y2));
    }

    private static void text(
            StringBuilder svg, int x, int y, String anchor, String type, String content) {
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n",
                        type,
                        x,
                        y,
                        anchor,
                        content.replace("&", "&amp;").replace("<", "&lt;")));
    }
}
