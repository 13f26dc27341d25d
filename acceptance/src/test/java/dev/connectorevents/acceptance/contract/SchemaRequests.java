package dev.connectorevents.acceptance.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.github.curiousoddman.rgxgen.RgxGen;
import dev.connectorevents.local.contract.Documented;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Generates requests from the schemas of an OpenAPI document: valid requests, and requests with one
 * fault.
 */
record SchemaRequests(Documented documented, Random random) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What only the pattern of times begins with. It also allows days that no month has. */
  private static final String DATE = "^\\d{4}-\\d\\d-";

  private static final List<DateTimeFormatter> TIME_FORMATS =
      Stream.of(
              "uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX",
              "uuuu-MM-dd'T'HH:mm:ssXX",
              "uuuu-MM-dd'T'HH:mmX",
              "uuuu-MM-dd HH:mm:ssx",
              "uuuu-MM-dd HH:mm:ss xx")
          .map(DateTimeFormatter::ofPattern)
          .toList();

  /** A request with one fault, at this JSON pointer. */
  record Faulty(ObjectNode request, String pointer) {}

  JsonNode valid(String schema) {
    return value(documented.schema(schema));
  }

  Faulty faulty(String schema) {
    Fault fault = any(faults("", documented.schema(schema)));
    return faulty((ObjectNode) valid(schema), fault.pointer(), fault.value().get());
  }

  <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
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

  private record Fault(String pointer, Supplier<JsonNode> value) {}

  private List<Fault> faults(String pointer, JsonNode schema) {
    List<Fault> faults = new ArrayList<>();
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      String below = pointer + "/" + member.getKey();
      JsonNode rule = rule(member.getValue());
      faults.add(new Fault(below, () -> any(ofOtherTypes(rule))));
      brokenLimits(rule).forEach(value -> faults.add(new Fault(below, value)));
      faults.addAll(faults(below, rule));
    }
    schema
        .path("required")
        .forEach(
            name -> faults.add(new Fault(pointer + "/" + name.asText(), () -> NullNode.instance)));
    return faults;
  }

  private static List<JsonNode> ofOtherTypes(JsonNode rule) {
    List<JsonNode> others = new ArrayList<>(List.of(BooleanNode.TRUE, JSON.arrayNode()));
    switch (type(rule)) {
      case "string" -> others.addAll(List.of(JSON.numberNode(1), JSON.objectNode()));
      case "integer" -> others.addAll(List.of(new TextNode("1"), new DoubleNode(1.5)));
      default -> others.addAll(List.of(new TextNode("{}"), JSON.numberNode(1)));
    }
    return others;
  }

  private List<Supplier<JsonNode>> brokenLimits(JsonNode rule) {
    List<Supplier<JsonNode>> broken = new ArrayList<>();
    if (rule.has("maxLength")) {
      int tooLong = rule.get("maxLength").asInt() + 1;
      broken.add(() -> new TextNode(padded(text(rule), tooLong)));
    }
    if (rule.has("pattern")) {
      RgxGen texts = RgxGen.parse(rule.get("pattern").asText());
      broken.add(() -> new TextNode(texts.generateNotMatching(random)));
    }
    if (rule.has("maximum")) {
      BigInteger over = rule.get("maximum").bigIntegerValue().add(BigInteger.ONE);
      BigInteger under = rule.get("minimum").bigIntegerValue().subtract(BigInteger.ONE);
      broken.add(() -> new BigIntegerNode(random.nextBoolean() ? over : under));
    }
    return broken;
  }

  /** The schema that a value must match if it is not null. */
  private JsonNode rule(JsonNode schema) {
    JsonNode rule = documented.resolved(schema);
    return rule.has("anyOf") ? documented.resolved(rule.get("anyOf").get(0)) : rule;
  }

  private JsonNode value(JsonNode schema) {
    JsonNode rule = rule(schema);
    return switch (type(rule)) {
      case "integer" ->
          integer(rule.get("minimum").bigIntegerValue(), rule.get("maximum").bigIntegerValue());
      case "string" -> new TextNode(text(rule));
      default -> object(rule);
    };
  }

  /** Small numbers and the limits more often than others. */
  private JsonNode integer(BigInteger minimum, BigInteger maximum) {
    BigInteger size = maximum.subtract(minimum).add(BigInteger.ONE);
    int bits = random.nextInt(size.bitLength() + 1);
    return new BigIntegerNode(minimum.add(new BigInteger(bits, random).mod(size)));
  }

  private String text(JsonNode rule) {
    if (rule.path("pattern").asText().startsWith(DATE)) {
      long second = random.nextLong(4_000_000_000L);
      Instant time = Instant.ofEpochSecond(second, second % 1_000_000_000);
      return any(TIME_FORMATS).format(time.atOffset(offset(second)));
    }
    if (rule.has("pattern")) {
      RgxGen texts = RgxGen.parse(rule.get("pattern").asText());
      int longest = rule.path("maxLength").asInt(Integer.MAX_VALUE);
      int length = rule.has("maxLength") && random.nextBoolean() ? longest : 0;
      return Stream.generate(() -> padded(texts.generate(random), length))
          .filter(text -> text.length() <= longest)
          .findFirst()
          .orElseThrow();
    }
    int longest = rule.path("maxLength").asInt(100);
    return random.nextBoolean()
        ? "x".repeat(longest)
        : random
            .ints(random.nextInt(Math.min(longest, 50) + 1), 0, 128)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
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

  private ObjectNode object(JsonNode rule) {
    List<String> required = new ArrayList<>();
    rule.path("required").forEach(name -> required.add(name.asText()));
    ObjectNode object = JSON.objectNode();
    for (Map.Entry<String, JsonNode> member : rule.path("properties").properties()) {
      if (required.contains(member.getKey()) || random.nextBoolean()) {
        object.set(member.getKey(), value(member.getValue()));
      } else if (isNullable(member.getValue()) && random.nextBoolean()) {
        object.putNull(member.getKey());
      }
    }
    return object;
  }

  private boolean isNullable(JsonNode schema) {
    return documented.resolved(schema).has("anyOf");
  }

  private static String type(JsonNode rule) {
    return rule.path("type").asText("object");
  }
}
