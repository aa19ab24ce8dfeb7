package dev.streamconnect.benchmark;

import dev.streamconnect.benchmark.broker.Brokers;
import dev.streamconnect.benchmark.contender.ContenderKind;
import dev.streamconnect.benchmark.result.Bar;
import dev.streamconnect.benchmark.result.JsonFile;
import dev.streamconnect.benchmark.result.MarkdownTables;
import dev.streamconnect.benchmark.result.Report;
import dev.streamconnect.benchmark.result.SvgPicture;
import dev.streamconnect.benchmark.result.WorkloadResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command behind {@code mvn -Pbenchmark}. */
@Command(
        name = "benchmark",
        description = "Measures this project and its peers on the same brokers.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class Benchmark implements Callable<Integer> {

    private static final String BASELINE = ContenderKind.BARE.label();

    /** In place of workloads: the libraries are laid out, and that is all. */
    private static final String NOTHING = "none";

    private static final long GIBIBYTE = 1L << 30;

    @Option(names = "--libraries", required = true, description = "folder of this module's jars")
    private Path libraries;

    @Option(names = "--mirror-maker", required = true, description = "folder of its jars")
    private Path mirrorMaker;

    @Option(names = "--broker", required = true, description = "folder of the brokers' jars")
    private Path broker;

    @Option(names = "--output", required = true, description = "where the results are written")
    private Path output;

    @Option(names = "--data", required = true, description = "where the brokers' data is")
    private Path data;

    @Option(names = "--results", description = "where published results are")
    private Path results;

    @Option(names = "--publish", arity = "1", description = "also write to --results, dated")
    private boolean publish;

    @Option(names = "--quick", arity = "1", description = "short runs: a look, not a result")
    private boolean quick;

    @Option(names = "--jfr", arity = "1", description = "record contenders with Flight Recorder")
    private boolean jfr;

    @Option(names = "--seconds", description = "measured time of a run; default 20, quick 5")
    private String seconds = "";

    @Option(names = "--repetitions", description = "of the main group; default 5, quick 3")
    private String repetitions = "";

    @Option(
            names = "--workloads",
            description = "names or groups, with commas; default main,once; quick 512B,512B-mtls")
    private String workloads = "";

    @Option(names = "--contenders", description = "names, with commas; default all")
    private String contenders = "";

    @Option(
            names = "--source-gib",
            description = "size of a source, GiB; default 8, quick 2: more than is read in a run")
    private double sourceGib;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmark()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (workloads.strip().equals(NOTHING)) {
            return 0;
        }
        LocalDateTime begun = LocalDateTime.now(ZoneOffset.UTC);
        Pace pace =
                new Pace(
                        Duration.ofSeconds(quick ? 5 : 20),
                        Duration.ofSeconds(number(seconds, quick ? 5 : 20)));
        int times = number(repetitions, quick ? 3 : 5);
        double gib = sourceGib > 0 ? sourceGib : quick ? 2 : 8;
        List<Workload> wanted =
                Workloads.of(words(workloads, quick ? "512B,512B-mtls" : "main,once"));
        List<ContenderKind> who =
                contenders.isBlank()
                        ? List.of(ContenderKind.values())
                        : words(contenders, "").stream().map(ContenderKind::of).toList();
        Files.createDirectories(output);
        // Only this folder is emptied, whatever else is beside it.
        Path own = data.resolve("streamconnect-benchmark");
        removeAll(own);
        Files.createDirectories(own);
        Map<String, String> machine = Environment.machine(own);
        List<WorkloadResult> measured = new ArrayList<>();
        Libraries paths = new Libraries(libraries, mirrorMaker, broker);
        try (Brokers brokers = Brokers.start(paths.broker(), own)) {
            Console.line("brokers are ready");
            Campaign campaign =
                    new Campaign(
                            new Bench(brokers, paths, own.resolve("contenders"), jfr),
                            pace,
                            (long) (gib * GIBIBYTE),
                            times,
                            who);
            for (Workload workload : wanted) {
                measured.add(campaign.run(workload));
                // After each, so that what was measured is not lost by what comes.
                write(report(begun, machine, pace, times, measured), begun);
            }
        }
        return measured.stream().allMatch(result -> result.failures().isEmpty()) ? 0 : 1;
    }

    private Report report(
            LocalDateTime begun,
            Map<String, String> machine,
            Pace pace,
            int times,
            List<WorkloadResult> measured) {
        return new Report(
                begun.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")),
                machine,
                Environment.versions(),
                settings(pace, times),
                measured,
                Bar.look(Bars.all(), measured));
    }

    private Map<String, String> settings(Pace pace, int times) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(
                "run",
                pace.warmUp().toSeconds()
                        + " s warm-up from the first record, then "
                        + pace.measured().toSeconds()
                        + " s measured (less where the source ends before); "
                        + times
                        + " repetitions in the main group, contenders in another order in each");
        settings.put("consumers", ClientSettings.consumer().toString());
        settings.put("producers toward Hermes", ClientSettings.producer(true).toString());
        settings.put(
                "producers toward the customer's Kafka", ClientSettings.producer(false).toString());
        settings.put("contenders' JVM", String.join(" ", ContenderProcess.JVM));
        settings.put("brokers' JVM", Brokers.jvm());
        settings.put("brokers", "Kafka's defaults; one for the source, one for the destination");
        settings.put("MirrorMaker 2", "dedicated mode, tasks.max=4, only replication turned on");
        settings.put(
                "record",
                "key of 16 bytes (a million keys, at random), two headers of 9 and 21 bytes, value"
                        + " incompressible, no compression");
        return settings;
    }

    private void write(Report report, LocalDateTime begun) throws IOException {
        writeTo(output, "benchmark", report);
        if (publish && results != null) {
            Files.createDirectories(results);
            writeTo(results, begun.toLocalDate() + "-benchmark", report);
        }
    }

    private static void writeTo(Path folder, String name, Report report) throws IOException {
        Files.writeString(folder.resolve(name + ".json"), JsonFile.of(report));
        Files.writeString(
                folder.resolve(name + ".md"), MarkdownTables.of(report, BASELINE, name + ".svg"));
        Files.writeString(folder.resolve(name + ".svg"), SvgPicture.of(report, BASELINE));
    }

    private static int number(String text, int otherwise) {
        return text.isBlank() ? otherwise : Integer.parseInt(text.strip());
    }

    private static List<String> words(String text, String otherwise) {
        return Stream.of((text.isBlank() ? otherwise : text).split(","))
                .map(String::strip)
                .toList();
    }

    private static void removeAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }
}
