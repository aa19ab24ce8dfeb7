package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a draft of whatever of a file can be read, so that all its faults are found at once. */
final class DraftReader {

    private final JsonFields root;
    private final Faults faults;

    DraftReader(YamlDocument document, Faults faults) {
        this.root = new JsonFields(document.root(), "", document.unresolved());
        this.faults = faults;
    }

    Draft read() {
        List<Draft.Item<KafkaCredential>> credentials = new ArrayList<>();
        for (JsonFields fields : root.objects("credentials")) {
            credentials.add(new Draft.Item<>(fields.pointer(), credential(fields)));
        }
        List<Draft.Item<KafkaConnection>> connections = new ArrayList<>();
        for (JsonFields fields : root.objects("connections")) {
            connections.add(new Draft.Item<>(fields.pointer(), connection(fields, credentials)));
        }
        List<Draft.Item<MessageReplication>> replications = new ArrayList<>();
        List<Draft.Topic> topics = new ArrayList<>();
        for (JsonFields fields : root.objects("messageReplications")) {
            replication(fields, replications, topics);
        }
        return new Draft(
                credentials,
                allNamed("credentials"),
                connections,
                replications,
                topics,
                allNamed("connections"));
    }

    private boolean allNamed(String list) {
        List<JsonFields> objects = root.objects(list);
        return faults.readable(root.pointer(list))
                && objects.size() == root.size(list)
                && objects.stream().allMatch(each -> each.text("id").isPresent());
    }

    private void replication(
            JsonFields fields,
            List<Draft.Item<MessageReplication>> replications,
            List<Draft.Topic> topics) {
        Optional<String> name = fields.text("name");
        List<JsonFields> childFields = fields.objects("topicReplications");
        List<TopicReplication> children =
                childFields.stream().map(child -> topic(child, name.orElse(""))).toList();
        MessageReplication replication =
                new MessageReplication(
                        name.orElse(""),
                        fields.textOrEmpty("connection"),
                        fields.flag("active", true),
                        children,
                        fields.text("application"));
        replications.add(new Draft.Item<>(fields.pointer(), replication));
        Optional<MessageReplication> parent =
                Optional.of(replication)
                        .filter(known -> faults.readable(fields.pointer("connection")))
                        .filter(known -> faults.readable(fields.pointer("active")));
        for (int i = 0; i < children.size(); i++) {
            JsonFields child = childFields.get(i);
            boolean ownId = child.has("id");
            boolean idKnown =
                    ownId
                            ? faults.readable(child.pointer("id"))
                            : name.isPresent()
                                    && faults.readable(child.pointer("direction"))
                                    && faults.readable(child.pointer("topicName"));
            topics.add(new Draft.Topic(child.pointer(), children.get(i), parent, ownId, idKnown));
        }
    }

    private TopicReplication topic(JsonFields fields, String parent) {
        Direction direction =
                fields.text("direction")
                        .flatMap(Direction::ofField)
                        .orElse(Direction.TO_SERVICENOW);
        String topicName = fields.textOrEmpty("topicName");
        return new TopicReplication(
                fields.text("id")
                        .orElseGet(() -> TopicReplication.defaultId(parent, direction, topicName)),
                parent,
                direction,
                topicName,
                fields.textOrEmpty("serviceNowTopic"),
                fields.text("applicationId"),
                fields.text("namespace"),
                startFrom(fields),
                fields.text("failoverOrder").flatMap(FailoverOrder::ofField),
                fields.text("deduplicate").flatMap(Deduplicate::ofField),
                fields.text("onGap").flatMap(OnGap::ofField),
                fields.text("onRecreated").flatMap(OnRecreated::ofField),
                fields.text("route").orElse(TopicReplication.DEFAULT_ROUTE),
                fields.flag("active", true));
    }

    private StartFrom startFrom(JsonFields fields) {
        try {
            return fields.text("startFrom").map(StartFrom::parse).orElse(StartFrom.EARLIEST);
        } catch (IllegalArgumentException e) {
            faults.add(
                    fields.pointer("startFrom"),
                    RecordRule.BAD_START_FROM,
                    "'startFrom' " + e.getMessage());
            return StartFrom.EARLIEST;
        }
    }

    private KafkaConnection connection(
            JsonFields fields, List<Draft.Item<KafkaCredential>> credentials) {
        Optional<String> named = fields.text("credential");
        if (fields.has("credential")) {
            refuse(
                    fields,
                    List.of("ssl", "sasl"),
                    "stands beside 'credential'; leave out one of both");
        }
        KafkaConnection connection =
                new KafkaConnection(
                        fields.textOrEmpty("id"),
                        fields.textOrEmpty("bootstrapServers"),
                        fields.text("consumerGroupId"),
                        properties(fields),
                        named,
                        fields.object("ssl").map(DraftReader::ssl),
                        fields.object("sasl").flatMap(this::sasl));
        return credentials.stream()
                .map(Draft.Item::value)
                .filter(credential -> named.equals(Optional.of(credential.id())))
                .findFirst()
                .map(connection::with)
                .orElse(connection);
    }

    private KafkaCredential credential(JsonFields fields) {
        return new KafkaCredential(
                fields.textOrEmpty("id"),
                properties(fields),
                fields.object("ssl").map(DraftReader::ssl),
                fields.object("sasl").flatMap(this::sasl));
    }

    private static Map<String, String> properties(JsonFields fields) {
        Map<String, String> properties = new LinkedHashMap<>();
        fields.object("properties")
                .ifPresent(
                        map -> {
                            for (String name : map.names()) {
                                properties.put(name, map.textOrEmpty(name));
                            }
                        });
        return properties;
    }

    private static SslCredentials ssl(JsonFields fields) {
        return new SslCredentials(
                store(fields, "keystore"),
                fields.secret("keyPassword"),
                store(fields, "truststore"),
                fields.text("provider"),
                fields.flag("disableHostNameVerification", false));
    }

    private static Optional<StoreSource> store(JsonFields fields, String kind) {
        boolean given =
                List.of("Location", "Base64", "Pem", "Type", "Password").stream()
                        .anyMatch(part -> fields.has(kind + part));
        if (!given) {
            return Optional.empty();
        }
        return Optional.of(
                new StoreSource(
                        fields.text(kind + "Location"),
                        fields.secret(kind + "Base64"),
                        fields.secret(kind + "Pem"),
                        fields.text(kind + "Type"),
                        fields.secret(kind + "Password")));
    }

    private void refuse(JsonFields fields, List<String> names, String reason) {
        names.stream()
                .filter(fields::has)
                .forEach(
                        name ->
                                faults.addAtKey(
                                        fields.pointer(name),
                                        RecordRule.WRONG_VALUE,
                                        "'" + name + "' " + reason));
    }

    private Optional<SaslCredentials> sasl(JsonFields fields) {
        return fields.text("mechanism")
                .flatMap(SaslMechanism::ofMechanism)
                .map(
                        mechanism ->
                                mechanism == SaslMechanism.OAUTHBEARER
                                        ? client(fields)
                                        : user(fields, mechanism));
    }

    private SaslCredentials user(JsonFields fields, SaslMechanism mechanism) {
        refuse(
                fields,
                List.of("tokenEndpointUrl", "clientId", "clientSecret", "scope"),
                "goes with OAUTHBEARER alone; leave it out");
        return new SaslCredentials.User(
                mechanism,
                fields.textOrEmpty("username"),
                Secret.of(fields.textOrEmpty("password")),
                fields.secret("jaasTemplate"));
    }

    private SaslCredentials client(JsonFields fields) {
        refuse(
                fields,
                List.of("username", "password"),
                "does not go with OAUTHBEARER; use clientId and clientSecret");
        return new SaslCredentials.Client(
                fields.textOrEmpty("tokenEndpointUrl"),
                fields.textOrEmpty("clientId"),
                Secret.of(fields.textOrEmpty("clientSecret")),
                fields.text("scope"),
                fields.secret("jaasTemplate"));
    }
}
