package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds secrets that a file holds itself, in place of placeholders. Whoever may read the file may
 * read them.
 */
final class ClearSecrets {

    private static final Set<String> PASSWORDS =
            Set.of(
                    "keystorePassword",
                    "keyPassword",
                    "truststorePassword",
                    "password",
                    "clientSecret");
    private static final Set<String> STORES = Set.of("keystorePem", "keystoreBase64");
    private static final Pattern CLEAR_KEY =
            Pattern.compile("-----BEGIN (?!ENCRYPTED)[A-Z ]*PRIVATE KEY-----(?!\\s*Proc-Type)");

    /** Client properties that hold a secret by themselves. */
    private static final Pattern PROPERTY =
            Pattern.compile("(.*[.])?(password|secret|passphrase|token)|ssl[.]keystore[.]key");

    /** A quoted option of a JAAS line that holds a secret, with what is in the quotes. */
    private static final Pattern JAAS =
            Pattern.compile(
                    "(?i)(password|secret)\\w*\\s*=\\s*\"(?!\\$\\{(password|clientSecret)}\")");

    private final YamlDocument document;
    private final Faults found;

    private ClearSecrets(YamlDocument document, Faults found) {
        this.document = document;
        this.found = found;
    }

    /** One for each, with its place and never its value, in the order of the file. */
    static List<RecordFault> in(YamlDocument document, String source, Places places) {
        ClearSecrets search = new ClearSecrets(document, new Faults(source, places));
        for (String list : List.of("credentials", "connections")) {
            JsonNode entries = document.root().path(list);
            for (int index = 0; entries.isArray() && index < entries.size(); index++) {
                search.look(entries.get(index), Places.child("/" + list, index));
            }
        }
        return search.found.list();
    }

    private void look(JsonNode node, String pointer) {
        boolean properties = pointer.endsWith("/properties");
        node.properties()
                .forEach(
                        field -> {
                            String at = Places.child(pointer, field.getKey());
                            JsonNode value = field.getValue();
                            if (value.isObject()) {
                                look(value, at);
                            } else if (value.isTextual()
                                    && !document.placed().contains(at)
                                    && !document.unresolved().contains(at)
                                    && (properties
                                            ? isSecretProperty(field.getKey(), value.asText())
                                            : isSecret(field.getKey(), value.asText()))) {
                                add(at, properties ? "the property" : "", field.getKey());
                            }
                        });
    }

    private void add(String pointer, String what, String name) {
        found.add(
                pointer,
                RecordRule.SECRET_IN_CLEAR,
                (what + " '" + name + "'").strip()
                        + " stands in the file in clear; write a placeholder such as"
                        + " \"{{env:NAME}}\" or \"{{secretFile:/path}}\"");
    }

    private static boolean isSecret(String field, String value) {
        if (PASSWORDS.contains(field)) {
            return true;
        }
        if (field.equals("jaasTemplate")) {
            return JAAS.matcher(value).find();
        }
        return STORES.contains(field) && holdsClearKey(field, value);
    }

    private static boolean isSecretProperty(String name, String value) {
        return PROPERTY.matcher(name.toLowerCase(Locale.ROOT)).matches()
                || (name.endsWith("sasl.jaas.config") && JAAS.matcher(value).find());
    }

    /** A store in base64 has its password; PEM text may have none. */
    private static boolean holdsClearKey(String field, String value) {
        try {
            String text =
                    field.endsWith("Base64")
                            ? new String(
                                    Base64.getMimeDecoder().decode(value),
                                    StandardCharsets.ISO_8859_1)
                            : value;
            return CLEAR_KEY.matcher(text).find();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
