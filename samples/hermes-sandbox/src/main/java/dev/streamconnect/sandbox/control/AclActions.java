package dev.streamconnect.sandbox.control;

import dev.streamconnect.sandbox.LocalHermes;
import dev.streamconnect.sandbox.SandboxException;
import dev.streamconnect.sandbox.broker.Rights;
import dev.streamconnect.sandbox.broker.SandboxCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;

/** Grants and revokes rights of a principal while clients run. */
final class AclActions {

    private static final String[] PARAMETERS = {
        "principal", "topic", "group", "operations", "sides"
    };

    private final LocalHermes hermes;

    AclActions(LocalHermes hermes) {
        this.hermes = hermes;
    }

    void register(Map<String, Action> actions) {
        actions.put("/acl/grant", Action.post(this::grant, PARAMETERS));
        actions.put("/acl/revoke", Action.post(this::revoke, PARAMETERS));
    }

    private Object grant(Parameters parameters) throws Exception {
        String principal = parameters.required("principal");
        ResourcePattern resource =
                resource(parameters)
                        .orElseThrow(
                                () ->
                                        new SandboxException(
                                                "parameter 'topic' or 'group' is missing"));
        List<AclOperation> operations = Rights.operations(parameters.required("operations"));
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            cluster.admin()
                    .createAcls(Rights.bindings(principal, resource, operations))
                    .all()
                    .get();
        }
        return Map.of("principal", principal);
    }

    private Object revoke(Parameters parameters) throws Exception {
        String principal = parameters.required("principal");
        ResourcePatternFilter resources =
                resource(parameters)
                        .map(ResourcePattern::toFilter)
                        .orElse(ResourcePatternFilter.ANY);
        List<AclBindingFilter> filters = new ArrayList<>();
        for (AclOperation operation :
                parameters
                        .optional("operations")
                        .map(Rights::operations)
                        .orElse(List.of(AclOperation.ANY))) {
            filters.add(
                    new AclBindingFilter(
                            resources,
                            new AccessControlEntryFilter(
                                    "User:" + principal, null, operation, AclPermissionType.ANY)));
        }
        int removed = 0;
        for (SandboxCluster cluster : Sides.of(hermes, parameters)) {
            removed += cluster.admin().deleteAcls(filters).all().get().size();
        }
        return Map.of("principal", principal, "removed", removed);
    }

    private static Optional<ResourcePattern> resource(Parameters parameters) {
        Optional<ResourcePattern> topic = parameters.optional("topic").map(Rights::topic);
        return topic.isPresent() ? topic : parameters.optional("group").map(Rights::group);
    }
}
