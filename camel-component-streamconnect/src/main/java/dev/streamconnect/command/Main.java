package dev.streamconnect.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Entry point of the commands; each answers by its exit code. */
@Command(
        name = "streamconnect",
        description = "Commands for replication records and what they need.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {ValidateCommand.class, PreflightCommand.class})
public final class Main {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    private boolean help;

    private Main() {}

    /** The command line, without running it. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main()).setParameterExceptionHandler(Main::refuse);
    }

    /** One sentence and where to read on; the whole usage would bury it. */
    private static int refuse(ParameterException fault, String[] arguments) {
        CommandLine command = fault.getCommandLine();
        PrintWriter errors = command.getErr();
        // picocli says it twice for an option that is a map
        errors.println(fault.getMessage().replace("option option ", "option "));
        errors.println(
                "Try '" + command.getCommandSpec().qualifiedName() + " --help' for its usage.");
        errors.flush();
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    /** Runs a command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
