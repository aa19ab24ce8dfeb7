package dev.streamconnect.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Entry point of the commands; each answers by its exit code. */
@Command(
        name = "streamconnect",
        description = "Commands for replication records.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = ValidateCommand.class)
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean help;

    private Main() {}

    /** The command line, without running it. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main());
    }

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
