package dev.streamconnect.record;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a draft of whatever of a file can be read, so that all its faults are found at once. */
final class DraftReader {

    private final JsonFields root;
    private final Faults faults;

    DraftReader(YamlDocument document, Faults faults) {
        this.root = new JsonFields(document.root(), "", document.unresolved());
        this.faults = faults;
    }

    Draft read() {
        boolean allCredentialsNamed = true;
        List<Draft.Item<KafkaCredential>> credentials = new ArrayList<>();
        for (JsonFields fields : root.objects("credentials")) {
            Optional<String> id = fields.text("id");
            allCredentialsNamed &= id.isPresent();
            id.ifPresent(
                    name ->
                            credentials.add(
                                    new Draft.Item<>(fields.pointer(), credential(fields, name))));
        }
        List<Draft.Item<KafkaConnection>> connections = new ArrayList<>();
        Set<String> unread = new HashSet<>();
        boolean allNamed = true;
        List<JsonFields> connectionFields = root.objects("connections");
        for (JsonFields fields : connectionFields) {
            Optional<String> id = fields.text("id");
            Optional<String> servers = fields.text("bootstrapServers");
            allNamed &= id.isPresent();
            if (id.isPresent() && servers.isPresent()) {
                KafkaConnection connection =
                        connection(fields, id.get(), servers.get(), credentials);
                connections.add(new Draft.Item<>(fields.pointer(), connection));
            } else {
                id.ifPresent(unread::add);
            }
        }
        List<Draft.Item<MessageReplication>> replications = new ArrayList<>();
        List<Draft.Topic> topics = new ArrayList<>();
        for (JsonFields fields : root.objects("messageReplications")) {
            replication(fields, replications, topics);
        }
        return new Draft(
                credentials,
                allCredentialsNamed,
                connections,
                replications,
                topics,
                unread,
                allNamed);
    }

    private void replication(
            JsonFields fields,
            List<Draft.Item<MessageReplication>> replications,
            List<Draft.Topic> topics) {
        Optional<String> name = fields.text("name");
        Optional<String> connection = fields.text("connection");
        List<TopicReplication> children = new ArrayList<>();
        List<JsonFields> childFields = new ArrayList<>();
        for (JsonFields child : fields.objects("topicReplications")) {
            topic(child, name)
                    .ifPresent(
                            value -> {
                                children.add(value);
                                childFields.add(child);
                            });
        }
        Optional<MessageReplication> replication = Optional.empty();
        if (name.isPresent() && connection.isPresent()) {
            replication =
                    Optional.of(
                            new MessageReplication(
                                    name.get(),
                                    connection.get(),
                                    fields.flag("active", true),
                                    children,
                                    fields.text("application")));
            replications.add(new Draft.Item<>(fields.pointer(), replication.get()));
        }
        for (int i = 0; i < children.size(); i++) {
            JsonFields child = childFields.get(i);
            boolean ownId = child.has("id");
            boolean idKnown = ownId ? child.text("id").isPresent() : name.isPresent();
            topics.add(
                    new Draft.Topic(child.pointer(), children.get(i), replication, ownId, idKnown));
        }
    }

    private Optional<TopicReplication> topic(JsonFields fields, Optional<String> replication) {
        Optional<Direction> direction = fields.text("direction").flatMap(Direction::ofField);
        Optional<String> topicName = fields.text("topicName");
        Optional<String> serviceNowTopic = fields.text("serviceNowTopic");
        StartFrom startFrom = startFrom(fields);
        if (direction.isEmpty() || topicName.isEmpty() || serviceNowTopic.isEmpty()) {
            return Optional.empty();
        }
        String parent = replication.orElse("");
        return Optional.of(
                new TopicReplication(
                        fields.text("id")
                                .orElseGet(
                                        () ->
                                                TopicReplication.defaultId(
                                                        parent, direction.get(), topicName.get())),
                        parent,
                        direction.get(),
                        topicName.get(),
                        serviceNowTopic.get(),
                        fields.text("applicationId"),
                        fields.text("namespace"),
                        startFrom,
                        fields.text("failoverOrder").flatMap(FailoverOrder::ofField),
                        fields.text("deduplicate").flatMap(Deduplicate::ofField),
                        fields.text("onGap").flatMap(OnGap::ofField),
                        fields.text("onRecreated").flatMap(OnRecreated::ofField),
                        fields.text("route").orElse(TopicReplication.DEFAULT_ROUTE),
                        fields.flag("active", true)));
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
            JsonFields fields,
            String id,
            String servers,
            List<Draft.Item<KafkaCredential>> credentials) {
        Optional<String> named = fields.text("credential");
        if (fields.has("credential")) {
            refuse(
                    fields,
                    List.of("ssl", "sasl"),
                    "stands beside 'credential'; leave out one of both");
        }
        KafkaConnection connection =
                new KafkaConnection(
                        id,
                        servers,
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

    private KafkaCredential credential(JsonFields fields, String id) {
        return new KafkaCredential(
                id,
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
                                map.text(name).ifPresent(value -> properties.put(name, value));
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
                .flatMap(
                        mechanism ->
                                mechanism == SaslMechanism.OAUTHBEARER
                                        ? client(fields)
                                        : user(fields, mechanism));
    }

    private Optional<SaslCredentials> user(JsonFields fields, SaslMechanism mechanism) {
        refuse(
                fields,
                List.of("tokenEndpointUrl", "clientId", "clientSecret", "scope"),
                "goes with OAUTHBEARER alone; leave it out");
        Optional<String> username = fields.text("username");
        Optional<Secret> password = fields.secret("password");
        if (username.isEmpty() || password.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new SaslCredentials.User(
                        mechanism, username.get(), password.get(), fields.secret("jaasTemplate")));
    }

    private Optional<SaslCredentials> client(JsonFields fields) {
        refuse(
                fields,
                List.of("username", "password"),
                "does not go with OAUTHBEARER; use clientId and clientSecret");
        Optional<String> endpoint = fields.text("tokenEndpointUrl");
        Optional<String> id = fields.text("clientId");
        Optional<Secret> secret = fields.secret("clientSecret");
        if (endpoint.isEmpty() || id.isEmpty() || secret.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new SaslCredentials.Client(
                        endpoint.get(),
                        id.get(),
                        secret.get(),
                        fields.text("scope"),
                        fields.secret("jaasTemplate")));
    }
}
