package dev.streamconnect.record;

import dev.streamconnect.cluster.ClientProperties;
import dev.streamconnect.cluster.KafkaClients;
import java.net.URI;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The rules of credentials, in a section of their own or within connections. */
final class CredentialRules {

    private static final Set<String> TYPES = Set.of("JKS", "JCEKS", "PKCS12", "PEM");
    private static final Set<String> OF_USER = Set.of("username", "password");
    private static final Set<String> OF_CLIENT = Set.of("clientId", "clientSecret", "scope");

    private final Draft draft;
    private final Faults faults;

    CredentialRules(Draft draft, Faults faults) {
        this.draft = draft;
        this.faults = faults;
    }

    void check() {
        Map<String, Draft.Item<KafkaCredential>> byId = new HashMap<>();
        for (Draft.Item<KafkaCredential> item : draft.credentials()) {
            KafkaCredential credential = item.value();
            Named.id(credential.id(), Named.MAX_CONNECTION_ID)
                    .ifPresent(r -> faults.add(item.field("id"), RecordRule.BAD_ID, "'id' " + r));
            Draft.Item<KafkaCredential> first =
                    faults.readable(item.field("id"))
                            ? byId.putIfAbsent(credential.id(), item)
                            : null;
            if (first != null) {
                faults.add(
                        item.field("id"),
                        RecordRule.DUPLICATE_CREDENTIAL,
                        "credential "
                                + Texts.quote(credential.id())
                                + " exists already"
                                + faults.at(first.field("id"))
                                + "; rename or remove one");
            }
            properties(
                    item.pointer(),
                    named("credential", item.field("id"), credential.id()),
                    credential.properties());
            ssl(item.field("ssl"), credential.ssl());
            sasl(item.field("sasl"), credential.sasl());
        }
        for (Draft.Item<KafkaConnection> item : draft.connections()) {
            KafkaConnection connection = item.value();
            Optional<KafkaCredential> credential =
                    connection.credential().map(byId::get).map(Draft.Item::value);
            Map<String, String> own = new HashMap<>(connection.properties());
            credential.ifPresent(c -> own.entrySet().removeAll(c.properties().entrySet()));
            properties(item.pointer(), named("connection", item.field("id"), connection.id()), own);
            connection.credential().ifPresent(id -> named(item, id, byId.keySet()));
            if (credential.isEmpty()) {
                ssl(item.field("ssl"), connection.ssl());
                sasl(item.field("sasl"), connection.sasl());
            }
        }
    }

    private String named(String kind, String pointer, String id) {
        return faults.readable(pointer) ? kind + " " + Texts.quote(id) : "the " + kind;
    }

    private void named(Draft.Item<KafkaConnection> item, String id, Set<String> known) {
        if (draft.allCredentialsNamed() && !known.contains(id)) {
            faults.add(
                    item.field("credential"),
                    RecordRule.UNKNOWN_CREDENTIAL,
                    "there is no credential "
                            + Texts.quote(id)
                            + "; "
                            + (known.isEmpty()
                                    ? "there are none; add it under credentials"
                                    : "known: "
                                            + Texts.shown(
                                                    String.join(", ", new TreeSet<>(known)))));
        }
    }

    private void properties(String pointer, String owner, Map<String, String> properties) {
        for (String name : properties.keySet()) {
            String at = Places.child(Places.child(pointer, "properties"), name);
            if (KafkaClients.MANAGED.contains(name)) {
                String mend =
                        switch (name) {
                            case "bootstrap.servers" -> "use the field bootstrapServers";
                            case "group.id" -> "use the field consumerGroupId";
                            case "auto.offset.reset" -> "use startFrom of the topic replication";
                            default -> "remove it";
                        };
                faults.addAtKey(
                        at,
                        RecordRule.MANAGED_PROPERTY,
                        "'" + name + "' is set by the engine and would be ignored; " + mend);
            } else if (name.equals("sasl.jaas.config")) {
                JaasLine.fault(Secret.of(properties.get(name)))
                        .ifPresent(
                                fault ->
                                        faults.add(
                                                at,
                                                RecordRule.BAD_SASL,
                                                "'sasl.jaas.config' " + fault));
            } else {
                ClientProperties.fault(name, properties.get(name))
                        .ifPresent(
                                fault ->
                                        faults.add(
                                                at,
                                                RecordRule.BAD_PROPERTY,
                                                Texts.quote(name) + " of " + owner + " " + fault));
            }
        }
    }

    private void ssl(String pointer, Optional<SslCredentials> given) {
        given.ifPresent(
                ssl -> {
                    ssl.keystore().ifPresent(store -> store(pointer, "keystore", store));
                    ssl.truststore().ifPresent(store -> store(pointer, "truststore", store));
                    if (ssl.keyPassword().isPresent() && ssl.keystore().isEmpty()) {
                        faults.add(
                                Places.child(pointer, "keyPassword"),
                                RecordRule.BAD_STORE,
                                "'keyPassword' without a keystore; give keystoreLocation,"
                                        + " keystoreBase64 or keystorePem");
                    }
                });
    }

    private void store(String pointer, String kind, StoreSource store) {
        List<String> fields = List.of(kind + "Location", kind + "Base64", kind + "Pem");
        List<String> given =
                Stream.of(
                                store.location().map(l -> fields.get(0)),
                                store.base64().map(b -> fields.get(1)),
                                store.pem().map(p -> fields.get(2)))
                        .flatMap(Optional::stream)
                        .toList();
        if (given.size() > 1) {
            faults.add(
                    Places.child(pointer, given.get(1)),
                    RecordRule.BAD_STORE,
                    String.join(" and ", given) + " are given; leave one of them");
        } else if (given.isEmpty()
                && fields.stream().noneMatch(f -> faults.has(Places.child(pointer, f)))) {
            faults.add(
                    pointer,
                    RecordRule.BAD_STORE,
                    "the " + kind + " has no content; give one of " + String.join(", ", fields));
        }
        store.base64()
                .filter(secret -> !isBase64(secret))
                .ifPresent(
                        secret ->
                                faults.add(
                                        Places.child(pointer, fields.get(1)),
                                        RecordRule.BAD_STORE,
                                        secret.reveal().contains("-----BEGIN")
                                                ? "'"
                                                        + fields.get(1)
                                                        + "' is PEM text; use "
                                                        + fields.get(2)
                                                : "'"
                                                        + fields.get(1)
                                                        + "' is not base64; encode the file again"));
        store.pem()
                .filter(secret -> !secret.reveal().contains("-----BEGIN"))
                .ifPresent(
                        secret ->
                                faults.add(
                                        Places.child(pointer, fields.get(2)),
                                        RecordRule.BAD_STORE,
                                        "'"
                                                + fields.get(2)
                                                + "' is not PEM text; it begins with -----BEGIN, or use "
                                                + fields.get(1)
                                                + " or "
                                                + fields.get(0)));
        store.type()
                .filter(type -> !TYPES.contains(type.toUpperCase(Locale.ROOT)))
                .ifPresent(
                        type ->
                                faults.add(
                                        Places.child(pointer, kind + "Type"),
                                        RecordRule.BAD_STORE,
                                        "'"
                                                + kind
                                                + "Type' is no type of store that can be read; use JKS, PKCS12"
                                                + " or PEM, or leave it out: the content tells"));
    }

    private static boolean isBase64(Secret secret) {
        try {
            return Base64.getMimeDecoder().decode(secret.reveal()).length > 0
                    && secret.reveal().matches("[A-Za-z0-9+/=\\s]+");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void sasl(String pointer, Optional<SaslCredentials> given) {
        given.ifPresent(
                sasl -> {
                    if (sasl instanceof SaslCredentials.Client client) {
                        endpoint(Places.child(pointer, "tokenEndpointUrl"), client);
                        template(pointer, client.jaasTemplate(), OF_CLIENT);
                    } else if (sasl instanceof SaslCredentials.User user) {
                        template(pointer, user.jaasTemplate(), OF_USER);
                    }
                });
    }

    private void endpoint(String pointer, SaslCredentials.Client client) {
        boolean usable;
        try {
            URI uri = URI.create(client.tokenEndpointUrl().strip());
            usable =
                    uri.getHost() != null
                            && uri.getUserInfo() == null
                            && String.valueOf(uri.getScheme()).matches("(?i)https?");
        } catch (IllegalArgumentException e) {
            usable = false;
        }
        if (!usable) {
            faults.add(
                    pointer,
                    RecordRule.BAD_SASL,
                    "'tokenEndpointUrl' is no address of a token endpoint; write it as"
                            + " https://host/path, without a user in it");
        }
    }

    private void template(String pointer, Optional<Secret> template, Set<String> variables) {
        template.flatMap(line -> JaasLine.templateFault(line, variables))
                .ifPresent(
                        fault ->
                                faults.add(
                                        Places.child(pointer, "jaasTemplate"),
                                        RecordRule.BAD_SASL,
                                        "'jaasTemplate' " + fault));
    }
}
