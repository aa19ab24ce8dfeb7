package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.streamconnect.cluster.HermesInstance;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads and validates a records file. Whatever the file holds, the outcome is valid records or one
 * {@link RecordsException} with all its faults. Immutable; safe for several threads if the resolver
 * is.
 */
public final class RecordsReader {

    private static final int VERSION = 1;

    private final UnaryOperator<String> resolver;
    private final RecordsValidator validator;
    private final Consumer<List<RecordFault>> warnings;

    /**
     * @param resolver gets each value that holds <code>{{</code> and answers the text with its
     *     placeholders resolved; an exception or null means that it cannot
     * @param instance the instance that the records are for; empty leaves out the check that full
     *     topic names are of it
     */
    public RecordsReader(UnaryOperator<String> resolver, Optional<HermesInstance> instance) {
        this(resolver, instance, found -> {});
    }

    /**
     * As {@link #RecordsReader(UnaryOperator, Optional)}, with warnings.
     *
     * @param warnings gets what is to be told beside faults each time records are read, whether
     *     there are faults or not, without secrets; empty if there is nothing
     */
    public RecordsReader(
            UnaryOperator<String> resolver,
            Optional<HermesInstance> instance,
            Consumer<List<RecordFault>> warnings) {
        this.resolver = Objects.requireNonNull(resolver, "resolver");
        this.validator = new RecordsValidator(instance);
        this.warnings = Objects.requireNonNull(warnings, "warnings");
    }

    /** A reader for files without placeholders and for any instance. */
    public static RecordsReader plain() {
        return new RecordsReader(text -> null, Optional.empty());
    }

    /**
     * Reads a file.
     *
     * @throws RecordsException with all faults; nothing else is thrown for what the file is or
     *     holds
     */
    public ReplicationRecords read(Path file) {
        return parse(text(file), file.toString());
    }

    /**
     * The text of a file, for {@link #parse}.
     *
     * @throws RecordsException if the file is not there, can't be read, is empty, too large or not
     *     UTF-8; nothing else is thrown for what the file is or holds
     */
    public static String text(Path file) {
        return RecordsFile.text(file);
    }

    /**
     * Reads a stream to its end and leaves it open.
     *
     * @param source what faults call it
     * @throws RecordsException with all faults
     */
    public ReplicationRecords read(InputStream stream, String source) {
        return parse(RecordsFile.text(stream, source), source);
    }

    /**
     * Reads a text that is not empty.
     *
     * @param source what faults call it
     * @throws RecordsException with all faults
     */
    public ReplicationRecords parse(String text, String source) {
        Node root = YamlText.parse(text, source);
        Places places = new Places();
        Faults faults = new Faults(source, places);
        YamlDocument document = new YamlToJson(source, places, faults, resolver).convert(root);
        refuseOtherRoot(document.root(), source, places);
        refuseOtherVersion(document.root(), source, places);
        List<RecordFault> found = new ArrayList<>(ClearSecrets.in(document, source, places));
        found.addAll(UnknownProperties.in(document, source, places));
        warnings.accept(found.stream().sorted().toList());
        return records(document, validator, faults);
    }

    static ReplicationRecords records(
            YamlDocument document, RecordsValidator validator, Faults faults) {
        SchemaFaults schema = new SchemaFaults(RecordsSchema.get(), document, faults);
        Faults judged = faults.except(schema.unreadable());
        Draft draft = new DraftReader(document, judged).read();
        validator.check(draft, judged);
        schema.add();
        faults.throwIfAny();
        return draft.records();
    }

    private static void refuseOtherRoot(JsonNode root, String source, Places places) {
        if (root.isNull()) {
            throw RecordsFile.empty(source);
        }
        if (!root.isObject()) {
            Place place = places.of("");
            throw Faults.single(
                    source,
                    place.line(),
                    place.column(),
                    RecordRule.WRONG_TYPE,
                    "the file must be an object with the fields version, connections and"
                            + " messageReplications");
        }
    }

    // What another version means is not known, so nothing else of the file is judged.
    private static void refuseOtherVersion(JsonNode root, String source, Places places) {
        JsonNode version = root.path("version");
        if (version.isNumber() && (!version.isLong() || version.asLong() != VERSION)) {
            Place place = places.of("/version");
            throw Faults.single(
                    source,
                    place.line(),
                    place.column(),
                    RecordRule.UNSUPPORTED_VERSION,
                    "this version of the format is not known; this release reads version "
                            + VERSION);
        }
    }
}
