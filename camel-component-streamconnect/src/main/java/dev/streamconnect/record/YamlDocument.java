package dev.streamconnect.record;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * A records file as JSON.
 *
 * @param root its content
 * @param unresolved pointers of values whose placeholders could not be resolved; they have their
 *     fault
 * @param placed pointers of values that came from placeholders without a default
 */
record YamlDocument(JsonNode root, Set<String> unresolved, Set<String> placed) {}
