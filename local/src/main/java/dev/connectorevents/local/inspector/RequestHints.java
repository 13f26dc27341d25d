package dev.connectorevents.local.inspector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.connectorevents.emulator.gateway.Exchange;
import dev.connectorevents.local.inspector.RowNote.Meaning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Says what an answer does not: which parts of a request the service ignores, and why API Gateway
 * refuses one.
 *
 * @param openApi the API's document; what it does not describe gets no hint
 */
record RequestHints(JsonNode openApi) {

  private static final String KEY = "idempotency-key";
  private static final String KEY_MEMBER = "idempotency_key";
  private static final int MOST_TYPOS = 3;
  private static final int MAX_IGNORED = 5;
  private static final int MAX_NAME = 100;
  private static final LevenshteinDistance TYPOS = new LevenshteinDistance(MOST_TYPOS);

  /** Without a document there are no hints about paths and members. */
  static RequestHints read(Optional<Path> openApi) throws IOException {
    if (openApi.isEmpty()) {
      return new RequestHints(MissingNode.getInstance());
    }
    Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    Object document = yaml.load(Files.readString(openApi.get()));
    return new RequestHints(new ObjectMapper().valueToTree(document));
  }

  /**
   * The hints for one request.
   *
   * @param sent the names of its body's members
   * @param slips members of its payload, with the names that were probably meant
   */
  List<RowNote> of(Exchange exchange, Set<String> sent, Map<String, String> slips) {
    List<RowNote> hints = new ArrayList<>();
    if (exchange.call().isEmpty()) {
      hints.add(RowNote.of(Meaning.ofError(exchange.answer().status()), refusal(exchange)));
      return hints;
    }
    Set<String> known = members(exchange);
    List<String> ignored =
        known.isEmpty() ? List.of() : sent.stream().filter(name -> !known.contains(name)).toList();
    ignored.stream().limit(MAX_IGNORED).forEach(name -> hints.add(ignored(nearest(name, known))));
    if (ignored.size() > MAX_IGNORED) {
      hints.add(ignored((ignored.size() - MAX_IGNORED) + " more members"));
    }
    slips.entrySet().stream()
        .limit(MAX_IGNORED)
        .forEach(
            slip -> hints.add(ignored(slip.getKey() + " (did you mean " + slip.getValue() + "?)")));
    if (known.contains(KEY_MEMBER)) {
      hints.addAll(keys(exchange));
    }
    exchange.headers().keySet().stream()
        .filter(name -> name.contains("idempot") && !name.equals(KEY))
        .map(name -> ignored("the header " + name + " (did you mean Idempotency-Key?)"))
        .forEach(hints::add);
    return hints;
  }

  /** A key in the query is in no event, and two headers arrive as one key, joined by a comma. */
  private static List<RowNote> keys(Exchange exchange) {
    List<RowNote> hints = new ArrayList<>();
    if (exchange.query().toLowerCase(Locale.ROOT).matches("(.*&)?[^=&]*idempot.*")) {
      hints.add(ignored("the key in the query (it belongs in a header or in the event)"));
    }
    String key = Masking.maskTokens(exchange.headers().getOrDefault(KEY, ""));
    List<String> parts = Stream.of(key.split(",", -1)).map(String::strip).toList();
    // A proxy may have joined two headers. Then only equal keys show it.
    boolean isOneTwice = parts.size() > 1 && Set.copyOf(parts).size() == 1;
    if (isOneTwice || exchange.repeated().contains(KEY)) {
      hints.add(ignored("a second Idempotency-Key (the key is " + key + ")"));
    }
    return hints;
  }

  /** What the route does; null if the document does not describe it. */
  @Nullable String operation(Exchange exchange) {
    String method = exchange.method().toLowerCase(Locale.ROOT);
    return paths().stream()
        .filter(path -> exchange.path().matches(path.replaceAll("\\{[^}]*}", "[^/]+")))
        .map(path -> openApi.path("paths").path(path).path(method).path("summary").asText())
        .filter(summary -> !summary.isEmpty())
        .findFirst()
        .orElse(null);
  }

  /** API Gateway's own answers say nearly nothing. */
  private String refusal(Exchange exchange) {
    return switch (exchange.answer().status()) {
      case 404 -> "no such route" + nearRoute(exchange).map(near -> "; " + near).orElse("");
      case 413 -> "larger than API Gateway or Lambda accepts";
      case 429 -> "more requests a second than the template allows this route";
      case 431 -> "more than 10,240 bytes of headers";
      default -> "API Gateway refused it";
    };
  }

  private Optional<String> nearRoute(Exchange exchange) {
    String path = exchange.path();
    if (path.length() > 1 && path.endsWith("/") && has(path.substring(0, path.length() - 1))) {
      return Optional.of("without the trailing slash?");
    }
    if (has(path)) {
      return Optional.of(
          "this path takes " + String.join(", ", methods(path)).toUpperCase(Locale.ROOT));
    }
    return closest(path, paths()).map(near -> "did you mean " + near + "?");
  }

  private boolean has(String path) {
    return paths().contains(path);
  }

  private Set<String> paths() {
    return names(openApi.path("paths"));
  }

  private Set<String> methods(String path) {
    return names(openApi.path("paths").path(path));
  }

  /** The members that the service reads of a request's body, and of the events in it. */
  private Set<String> members(Exchange exchange) {
    JsonNode schema =
        openApi
            .path("paths")
            .path(exchange.path())
            .path(exchange.method().toLowerCase(Locale.ROOT))
            .at("/requestBody/content/application~1json/schema");
    return members(schema);
  }

  private Set<String> members(JsonNode schema) {
    if (schema.isMissingNode()) {
      return new TreeSet<>();
    }
    JsonNode found =
        schema.has("$ref") ? openApi.at(schema.get("$ref").asText().substring(1)) : schema;
    Set<String> names = names(found.path("properties"));
    found.path("allOf").forEach(part -> names.addAll(members(part)));
    names.addAll(members(found.at("/properties/events/items")));
    return names;
  }

  private static RowNote ignored(String what) {
    return RowNote.of(Meaning.IGNORED, what);
  }

  private static String nearest(String name, Set<String> known) {
    if (name.length() > MAX_NAME) {
      return name.substring(0, MAX_NAME) + "…";
    }
    String hint =
        name.equals("_meta")
            ? " (it belongs in payload)"
            : closest(name, known).map(near -> " (did you mean " + near + "?)").orElse("");
    return name + hint;
  }

  /**
   * The name that was probably meant: {@code sentAt} is {@code sent_at}, and {@code evnt_type} is
   * {@code event_type}.
   */
  private static Optional<String> closest(String name, Collection<String> known) {
    if (name.length() > MAX_NAME) {
      return Optional.empty();
    }
    return known.stream()
        .filter(each -> typos(name, each) >= 0)
        .min(Comparator.comparingInt(each -> typos(name, each)));
  }

  /** How many characters differ, without case and separators; -1 if they are too many. */
  private static int typos(String name, String known) {
    String expected = plain(known);
    int typos = TYPOS.apply(plain(name), expected);
    return typos * 3 <= expected.length() ? typos : -1;
  }

  /** Whether the names differ in case and separators only. */
  static boolean isSpelledLike(String name, String known) {
    return name.length() <= MAX_NAME && plain(name).equals(plain(known));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[-_. ]", "");
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
