package dev.connectorevents.acceptance.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Makes copies of an OpenAPI document, each with one small error. Does not widen the limits of
 * answers: no exchange could contradict that, since the service keeps to the narrower limit.
 */
final class Mutations {

  private static final Set<String> LIMITS =
      Set.of("minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems");

  /**
   * A changed document.
   *
   * @param description the place of the change, and the change
   */
  record Mutation(String description, String document) {}

  private final JsonNode document;
  private final Set<String> sent;

  Mutations(JsonNode document) {
    this.document = document;
    this.sent = sent(document);
  }

  /** The references to what requests consist of, such as {@code #/components/schemas/Login}. */
  private static Set<String> sent(JsonNode document) {
    Set<String> sent = new HashSet<>();
    Deque<JsonNode> open = new ArrayDeque<>(document.findValues("requestBody"));
    open.addAll(document.findValues("parameters"));
    while (!open.isEmpty()) {
      for (String reference : open.remove().findValuesAsText("$ref")) {
        if (sent.add(reference)) {
          open.add(document.at(reference.substring(1)));
        }
      }
    }
    return sent;
  }

  List<Mutation> all() {
    List<Mutation> all = new ArrayList<>();
    visit("", document, all);
    return all;
  }

  private void visit(String pointer, JsonNode node, List<Mutation> all) {
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String name = member.getKey();
      if (!name.startsWith("example")) {
        String below = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
        change(pointer, name, member.getValue(), all);
        visit(below, member.getValue(), all);
      }
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      visit(pointer + "/" + i, node.get(i), all);
    }
  }

  private void change(String parent, String name, JsonNode value, List<Mutation> all) {
    String kind = parent.substring(parent.lastIndexOf('/') + 1);
    switch (kind) {
      case "responses" -> {
        if (parent.startsWith("/paths")) {
          add("remove status " + name, parent, object -> object.remove(name), all);
        }
      }
      case "headers" -> {
        if (parent.contains("/responses/")) {
          add("drop header " + name, parent, object -> object.remove(name), all);
        }
      }
      case "properties" ->
          add(
              "rename member " + name,
              parent,
              object -> object.set(name + "_x", object.remove(name)),
              all);
      default -> changeRule(parent, name, value, all);
    }
  }

  private void changeRule(String parent, String name, JsonNode value, List<Mutation> all) {
    if (LIMITS.contains(name)) {
      for (BigInteger step : List.of(BigInteger.ONE, BigInteger.ONE.negate())) {
        BigInteger other = value.bigIntegerValue().add(step);
        boolean isWider = name.startsWith("max") == (step.signum() > 0);
        if (!isWider || isSent(parent)) {
          add(name + " " + other, parent, object -> object.put(name, other), all);
        }
      }
    }
    if (name.equals("type") && value.isTextual() && !parent.contains("security")) {
      String other = value.textValue().equals("string") ? "integer" : "string";
      add("type " + other, parent, object -> object.put(name, other), all);
    }
    if (name.equals("const")) {
      JsonNode other = value.isTextual() ? new TextNode("x") : new IntNode(1);
      add("const " + other, parent, object -> object.set(name, other), all);
    }
    if (name.equals("enum")) {
      for (int i = 0; i < value.size(); i++) {
        int index = i;
        add(
            "rename " + value.get(i).asText(),
            parent,
            object -> ((ArrayNode) object.get(name)).set(index, new TextNode("x")),
            all);
      }
    }
  }

  private boolean isSent(String pointer) {
    String[] names = pointer.split("/", -1);
    return pointer.startsWith("/components/schemas/")
        ? sent.contains("#/components/schemas/" + names[3])
        : !pointer.contains("/responses/") && !pointer.contains("/headers/");
  }

  private void add(String what, String parent, Consumer<ObjectNode> change, List<Mutation> all) {
    JsonNode copy = document.deepCopy();
    change.accept((ObjectNode) copy.at(parent));
    all.add(new Mutation(parent + ": " + what, copy.toString()));
  }
}
