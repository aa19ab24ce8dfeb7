package dev.streamconnect.sandbox.broker;

import dev.streamconnect.sandbox.SandboxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a certificate may do, as a text: entries {@code <r|w|rw>@<topic>} separated by semicolons; a
 * topic that ends with {@code *} is a prefix. Reading includes the consumer groups of the instance.
 * {@code default} is reading and writing of all topics of the instance, {@code none} nothing at
 * all.
 */
public final class Rights {

    private static final Set<AclOperation> READ =
            Set.of(AclOperation.READ, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
    private static final Set<AclOperation> WRITE =
            Set.of(AclOperation.WRITE, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
    private static final Set<AclOperation> GROUP = Set.of(AclOperation.READ, AclOperation.DESCRIBE);

    private Rights() {}

    /**
     * The ACLs of a principal.
     *
     * @param instance whose topics and groups {@code default} and reading mean
     * @throws SandboxException if the text is not understood
     */
    public static List<AclBinding> parse(String text, String principal, String instance) {
        if (text.equals("none")) {
            return List.of();
        }
        String all = text.equals("default") ? "rw@snc." + instance + ".*" : text;
        List<AclBinding> bindings = new ArrayList<>();
        for (String entry : all.split(";")) {
            String[] parts = entry.split("@", 2);
            if (parts.length != 2 || parts[1].isEmpty() || !parts[0].matches("r|w|rw")) {
                throw new SandboxException(
                        "acl: '" + entry + "' is not of the form r@topic, w@topic or rw@prefix*");
            }
            if (parts[0].contains("r")) {
                bindings.addAll(bindings(principal, topic(parts[1]), READ));
                bindings.addAll(bindings(principal, group("snc." + instance + ".*"), GROUP));
            }
            if (parts[0].contains("w")) {
                bindings.addAll(bindings(principal, topic(parts[1]), WRITE));
            }
        }
        return bindings.stream().distinct().toList();
    }

    /** ACLs of one principal on one resource. */
    public static List<AclBinding> bindings(
            String principal, ResourcePattern resource, Collection<AclOperation> operations) {
        return operations.stream()
                .map(
                        operation ->
                                new AclBinding(
                                        resource,
                                        new AccessControlEntry(
                                                "User:" + principal,
                                                "*",
                                                operation,
                                                AclPermissionType.ALLOW)))
                .toList();
    }

    /** A topic, or with a star at its end a prefix of topics. */
    public static ResourcePattern topic(String pattern) {
        return pattern(ResourceType.TOPIC, pattern);
    }

    /** A consumer group, or with a star at its end a prefix of groups. */
    public static ResourcePattern group(String pattern) {
        return pattern(ResourceType.GROUP, pattern);
    }

    /**
     * Operations by their names, separated by commas.
     *
     * @throws SandboxException if one is unknown
     */
    public static List<AclOperation> operations(String names) {
        return Arrays.stream(names.split(","))
                .map(
                        name -> {
                            AclOperation operation = AclOperation.fromString(name);
                            if (operation == AclOperation.UNKNOWN) {
                                throw new SandboxException(
                                        "operations: '" + name + "' is not an operation of Kafka");
                            }
                            return operation;
                        })
                .toList();
    }

    private static ResourcePattern pattern(ResourceType type, String pattern) {
        return pattern.endsWith("*") && pattern.length() > 1
                ? new ResourcePattern(
                        type, pattern.substring(0, pattern.length() - 1), PatternType.PREFIXED)
                : new ResourcePattern(type, pattern, PatternType.LITERAL);
    }
}
