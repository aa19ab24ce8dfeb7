package dev.streamconnect.command;

import dev.streamconnect.cluster.HermesInstance;
import dev.streamconnect.record.RecordFault;
import dev.streamconnect.record.RecordsException;
import dev.streamconnect.record.RecordsReader;
import dev.streamconnect.record.ReplicationRecords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Validates records files. Exit codes: 0 valid, 1 faults, 2 wrong usage. Each file is judged by
 * itself.
 */
@Command(
        name = "validate",
        description = "Validates replication records and lists them, or all their faults.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:all files are valid", "1:there are faults", "2:wrong usage"})
public final class ValidateCommand implements Callable<Integer> {

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Records files (YAML).")
    private List<Path> files;

    @Option(
            names = "--instance",
            paramLabel = "NAME",
            description = "Instance that the records are for; checks full topic names against it.")
    private String instance;

    @Option(
            names = "--properties",
            paramLabel = "FILE",
            description = "Properties file for placeholders; may be given more than once.")
    private List<Path> propertyFiles = new ArrayList<>();

    @Option(
            names = {"-D", "--property"},
            paramLabel = "NAME=VALUE",
            description = "Property for placeholders; wins over the files.")
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
    public ValidateCommand() {}

    @Override
    public Integer call() {
        List<String> warnings = new ArrayList<>();
        RecordsReader reader =
                new RecordsReader(
                        placeholders(),
                        instance(),
                        found -> found.forEach(each -> warnings.add(each.toString())));
        Map<Path, ReplicationRecords> valid = new LinkedHashMap<>();
        List<RecordFault> faults = new ArrayList<>();
        for (Path file : files) {
            try {
                valid.put(file, reader.read(file));
            } catch (RecordsException e) {
                faults.addAll(e.faults());
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        valid.forEach((file, records) -> warnings.addAll(StoreFiles.missing(file, records)));
        warnings.forEach(warning -> spec.commandLine().getErr().println("warning: " + warning));
        if (json) {
            JsonReport.print(valid, faults, warnings, out);
        } else {
            valid.forEach((file, records) -> RecordsTable.print(file, records, out));
            if (!faults.isEmpty()) {
                spec.commandLine().getErr().println(new RecordsException(faults).getMessage());
            }
        }
        out.flush();
        spec.commandLine().getErr().flush();
        return faults.isEmpty() ? 0 : 1;
    }

    private Optional<HermesInstance> instance() {
        try {
            return Optional.ofNullable(instance).map(HermesInstance::of);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage());
        }
    }

    private PropertyPlaceholders placeholders() {
        try {
            return PropertyPlaceholders.of(propertyFiles, properties);
        } catch (IOException e) {
            throw new ParameterException(spec.commandLine(), "--properties: " + e.getMessage());
        }
    }
}
