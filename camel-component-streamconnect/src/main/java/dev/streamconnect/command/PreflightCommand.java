package dev.streamconnect.command;

import dev.streamconnect.camel.main.PreflightStart;
import dev.streamconnect.preflight.PreflightJson;
import dev.streamconnect.preflight.PreflightReport;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Looks at addresses, certificates, topics and rights that an application needs, without starting
 * it. Exit codes: 0 nothing failed, 1 something failed, 2 wrong usage.
 */
@Command(
        name = "preflight",
        description =
                "Says which stage of which side fails and what to do: addresses, certificates, topics, rights.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing failed; there may be warnings",
            "1:something failed, or options or records are wrong",
            "2:wrong usage"
        })
public final class PreflightCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "The application.properties; without it Camel Main's own places are looked at.")
    private Path application;

    @Option(
            names = "--id",
            paramLabel = "ID",
            defaultValue = "*",
            description = "Id of a topic replication, or a pattern; all active ones without it.")
    private String id;

    @Option(
            names = "--test-message",
            description =
                    "Also sends one message to each destination topic. It stays there for all its readers.")
    private boolean testMessage;

    @Option(
            names = {"-D", "--property"},
            paramLabel = "NAME=VALUE",
            description = "Property; wins over the file.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--json", description = "Answers in JSON.")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean help;

    @Spec private CommandSpec spec;

    /** For the command line, which fills in the options. */
    public PreflightCommand() {}

    @Override
    public Integer call() {
        if (application != null && !Files.isRegularFile(application)) {
            throw new ParameterException(
                    spec.commandLine(), "there is no file " + application + "; correct the path");
        }
        PrintWriter out = spec.commandLine().getOut();
        PreflightReport report;
        try {
            report = look();
        } catch (IllegalArgumentException e) {
            spec.commandLine().getErr().println("no preflight: " + e.getMessage());
            return 1;
        } catch (NoClassDefFoundError e) {
            spec.commandLine()
                    .getErr()
                    .println("no preflight: camel-main is not on the class path; add it");
            return 1;
        }
        if (json) {
            out.println(PreflightJson.of(report).toPrettyString());
        } else {
            PreflightTable.print(report, out);
        }
        out.flush();
        return report.green() ? 0 : 1;
    }

    /** Log lines go to the error output meanwhile: the other one is for the answer alone. */
    private PreflightReport look() {
        PrintStream before = System.out;
        System.setOut(System.err);
        try {
            return PreflightStart.run(
                    application == null ? null : application.toString(),
                    properties,
                    id,
                    testMessage);
        } finally {
            System.setOut(before);
        }
    }
}
