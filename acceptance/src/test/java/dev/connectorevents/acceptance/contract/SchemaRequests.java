package dev.connectorevents.acceptance.contract;

import static java.time.format.DateTimeFormatter.ISO_OFFSET_DATE_TIME;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.github.curiousoddman.rgxgen.RgxGen;
import dev.connectorevents.local.contract.Documented;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Generates requests from the schemas of an OpenAPI document: valid requests, and requests with one
 * fault.
 */
record SchemaRequests(Documented documented) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * A request with one fault.
   *
   * @param pointer the JSON pointer to the fault
   */
  record Faulty(ObjectNode request, String pointer) {}

  Arbitrary<JsonNode> valid(String schema) {
    return value(documented.schema(schema));
  }

  Arbitrary<Faulty> faulty(String schema) {
    return Arbitraries.of(faults("", documented.schema(schema)))
        .flatMap(fault ->
            Combinators.combine(valid(schema), fault.values())
                .as((request, value) -> faulty((ObjectNode) request, fault.pointer(), value)));
  }

  /** Sets the value at the pointer, and creates missing objects on the way to it. */
  private static Faulty faulty(ObjectNode request, String pointer, JsonNode value) {
    String[] names = pointer.substring(1).split("/", -1);
    ObjectNode parent = request;
    for (int i = 0; i < names.length - 1; i++) {
      parent = parent.withObjectProperty(names[i]);
    }
    parent.set(names[names.length - 1], value);
    return new Faulty(request, pointer);
  }

  private record Fault(String pointer, Arbitrary<? extends JsonNode> values) {}

  private List<Fault> faults(String pointer, JsonNode schema) {
    List<Fault> faults = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      String below = pointer + "/" + member.getKey();
      JsonNode rule = rule(member.getValue());
      faults.add(new Fault(below, ofOtherTypes(rule)));
      brokenLimits(rule).forEach(values -> faults.add(new Fault(below, values)));
      faults.addAll(faults(below, rule));
    }
    schema
        .path("required")
        .forEach(name ->
            faults.add(
                new Fault(pointer + "/" + name.asText(), Arbitraries.just(NullNode.instance))));
    return faults;
  }

  private static Arbitrary<JsonNode> ofOtherTypes(JsonNode rule) {
    List<JsonNode> others = new ArrayList<>(List.of(BooleanNode.TRUE, JSON.arrayNode()));
    switch (type(rule)) {
      case "string" -> others.addAll(List.of(JSON.numberNode(1), JSON.objectNode()));
      case "integer" -> others.addAll(List.of(new TextNode("1"), new DoubleNode(1.5)));
      default -> others.addAll(List.of(new TextNode("{}"), JSON.numberNode(1)));
    }
    return Arbitraries.of(others);
  }

  private static List<Arbitrary<JsonNode>> brokenLimits(JsonNode rule) {
    List<Arbitrary<JsonNode>> broken = new ArrayList<>();
    if (rule.has("maxLength")) {
      int tooLong = rule.get("maxLength").asInt() + 1;
      broken.add(text(rule).map(text -> new TextNode(padded(text, tooLong))));
    }
    if (rule.has("pattern")) {
      RgxGen texts = RgxGen.parse(rule.get("pattern").asText());
      broken.add(seeds().map(seed -> new TextNode(texts.generateNotMatching(new Random(seed)))));
    }
    if (rule.has("maximum")) {
      BigInteger over = rule.get("maximum").bigIntegerValue().add(BigInteger.ONE);
      BigInteger under = rule.get("minimum").bigIntegerValue().subtract(BigInteger.ONE);
      broken.add(Arbitraries.of(new BigIntegerNode(over), new BigIntegerNode(under)));
    }
    return broken;
  }

  /** The schema that a value must match if it is not null. */
  private JsonNode rule(JsonNode schema) {
    JsonNode rule = documented.resolved(schema);
    return rule.has("anyOf") ? documented.resolved(rule.get("anyOf").get(0)) : rule;
  }

  private Arbitrary<JsonNode> value(JsonNode schema) {
    JsonNode rule = rule(schema);
    return switch (type(rule)) {
      case "integer" ->
          Arbitraries.bigIntegers()
              .between(rule.get("minimum").bigIntegerValue(), rule.get("maximum").bigIntegerValue())
              .map(BigIntegerNode::new);
      case "string" -> text(rule).map(TextNode::new);
      default -> object(rule);
    };
  }

  private static Arbitrary<String> text(JsonNode rule) {
    if (rule.path("format").asText().equals("date-time")) {
      return Arbitraries.longs()
          .between(0, 4_000_000_000L)
          .map(second ->
              ISO_OFFSET_DATE_TIME.format(
                  Instant.ofEpochSecond(second, second % 1_000_000_000).atOffset(offset(second))));
    }
    if (rule.has("pattern")) {
      RgxGen texts = RgxGen.parse(rule.get("pattern").asText());
      int longest = rule.path("maxLength").asInt(0);
      return Combinators.combine(seeds(), Arbitraries.of(0, longest))
          .as((seed, length) -> padded(texts.generate(new Random(seed)), length))
          .filter(text -> longest == 0 || text.length() <= longest);
    }
    int longest = rule.path("maxLength").asInt(100);
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(Math.min(longest, 50)),
        Arbitraries.just("x".repeat(longest)));
  }

  /**
   * Appends {@code x} until the text has this length. The patterns of the generated strings allow
   * that.
   */
  private static String padded(String text, int length) {
    return text + "x".repeat(Math.max(0, length - text.length()));
  }

  private static ZoneOffset offset(long second) {
    int hours = (int) (second % 18);
    return ZoneOffset.ofHoursMinutes(second % 2 == 0 ? hours : -hours, 0);
  }

  private Arbitrary<JsonNode> object(JsonNode rule) {
    List<String> required = new ArrayList<>();
    rule.path("required").forEach(name -> required.add(name.asText()));
    Arbitrary<ObjectNode> object = Arbitraries.create(JSON::objectNode);
    for (Map.Entry<String, JsonNode> member : rule.path("properties").properties()) {
      String name = member.getKey();
      Arbitrary<JsonNode> value = value(member.getValue());
      Arbitrary<JsonNode> present =
          required.contains(name) ? value : Arbitraries.oneOf(value, absent(member.getValue()));
      object = Combinators.combine(object, present).as((made, each) -> with(made, name, each));
    }
    return object.map(made -> made);
  }

  /** The ways to leave out a member: it is absent or, if the schema allows that, {@code null}. */
  private Arbitrary<JsonNode> absent(JsonNode schema) {
    return documented.resolved(schema).has("anyOf")
        ? Arbitraries.of(MissingNode.getInstance(), NullNode.instance)
        : Arbitraries.just(MissingNode.getInstance());
  }

  private static ObjectNode with(ObjectNode object, String name, JsonNode value) {
    ObjectNode copy = object.deepCopy();
    return value.isMissingNode() ? copy : (ObjectNode) copy.set(name, value);
  }

  private static String type(JsonNode rule) {
    return rule.path("type").asText("object");
  }

  private static Arbitrary<Long> seeds() {
    return Arbitraries.longs();
  }
}
