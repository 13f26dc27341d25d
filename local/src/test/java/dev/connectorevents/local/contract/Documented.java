package dev.connectorevents.local.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parts of an OpenAPI document, and which of them an exchange shows. A part is a line of text,
 * such as {@code POST /api/auth/login 401 code invalid_credentials}. There are lines for
 * operations, statuses, codes, members, headers and parameters.
 */
public final class Documented {

  /** The headers that the document need not name: HTTP's own, and API Gateway's request id. */
  private static final Set<String> HEADERS_OF_ALL_ANSWERS =
      Set.of("content-type", "content-length", "date", "apigw-requestid");

  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  private final JsonNode document;

  /** The documented paths, each with a pattern of the paths that it stands for. */
  private final Map<String, Pattern> paths = new LinkedHashMap<>();

  private final Set<String> lines = new TreeSet<>();

  public Documented(String yaml) {
    try {
      document = new YAMLMapper().readTree(yaml);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      paths.put(path.getKey(), Pattern.compile(path.getKey().replaceAll("\\{\\w+}", "[^/]+")));
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (METHODS.contains(operation.getKey())) {
          String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
          addOperation(name, operation.getValue());
        }
      }
    }
  }

  public Set<String> lines() {
    return Set.copyOf(lines);
  }

  boolean hasOperation(Exchanged exchanged) {
    return lines.contains(operation(exchanged));
  }

  private String operation(Exchanged exchanged) {
    return exchanged.method() + " " + path(exchanged);
  }

  /**
   * The documented path that matches the path of the request, such as {@code
   * /api/webhook-events/{id}}. If the document has none, the path of the request.
   */
  private String path(Exchanged exchanged) {
    String sent = exchanged.path();
    return paths.containsKey(sent)
        ? sent
        : paths.entrySet().stream()
            .filter(path -> path.getValue().matcher(sent).matches())
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(sent);
  }

  /** Whether the operation has query parameters. Other operations ignore the query. */
  boolean takesAQuery(Exchanged exchanged) {
    String query = operation(exchanged) + " query ";
    return lines.stream().anyMatch(line -> line.startsWith(query));
  }

  /** Whether the operation has this query parameter. */
  boolean hasParameter(Exchanged exchanged, String name) {
    return lines.contains(operation(exchanged) + " query " + name);
  }

  /** Whether the operation requires a token. */
  boolean needsToken(Exchanged exchanged) {
    JsonNode operation =
        document
            .path("paths")
            .path(path(exchanged))
            .path(exchanged.method().toLowerCase(Locale.ROOT));
    return operation.path("security").isMissingNode()
        ? !document.path("security").isEmpty()
        : !operation.path("security").isEmpty();
  }

  private void addOperation(String name, JsonNode operation) {
    lines.add(name);
    for (JsonNode parameter : operation.path("parameters")) {
      JsonNode found = resolved(parameter);
      String text = found.path("name").asText();
      switch (found.path("in").asText()) {
        case "query" -> lines.add(name + " query " + text);
        default -> lines.add(name + " " + header(text));
      }
    }
    for (JsonNode content : operation.path("requestBody").path("content")) {
      addMembers(name + " request", content.path("schema"), 2);
    }
    for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
      addResponse(name + " " + response.getKey(), resolved(response.getValue()));
    }
  }

  private void addResponse(String name, JsonNode response) {
    lines.add(name);
    for (Map.Entry<String, JsonNode> header : response.path("headers").properties()) {
      lines.add(name + " " + header(header.getKey()));
    }
    for (JsonNode content : response.path("content")) {
      addMembers(name, content.path("schema"), 0);
    }
  }

  /**
   * Adds a line for each member of an object, or of the objects in an array.
   *
   * @param depth how many levels of nested members to add
   */
  private void addMembers(String name, JsonNode schema, int depth) {
    JsonNode found = resolved(schema);
    found.path("allOf").forEach(part -> addMembers(name, part, depth));
    found.path("oneOf").forEach(part -> addMembers(name, part, depth));
    if (found.has("items")) {
      addMembers(name, found.get("items"), depth);
    }
    for (Map.Entry<String, JsonNode> member : found.path("properties").properties()) {
      String line = name + " " + member.getKey();
      lines.add(line);
      if (member.getKey().equals("code")) {
        member.getValue().path("enum").forEach(code -> lines.add(name + " code " + code.asText()));
      }
      if (depth > 0 || isResults(member.getKey())) {
        addMembers(line, member.getValue(), isResults(member.getKey()) ? 1 : depth - 1);
      }
    }
  }

  public JsonNode schema(String name) {
    return document.at("/components/schemas/" + name);
  }

  public JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
  }

  private static String header(String name) {
    return "header " + name.toLowerCase(Locale.ROOT);
  }

  /** The lines that an exchange shows. Lines of a request count only if the service accepted it. */
  public Set<String> shownBy(Exchanged exchanged) {
    String name = operation(exchanged);
    Set<String> shown = new TreeSet<>(Set.of(name, name + " " + exchanged.status()));
    addShown(name + " " + exchanged.status(), exchanged.answerBody(), 0, shown);
    exchanged.headers().keySet().stream()
        .filter(header -> !HEADERS_OF_ALL_ANSWERS.contains(header))
        .forEach(header -> shown.add(name + " " + exchanged.status() + " " + header(header)));
    if (exchanged.status() < 300) {
      addShown(name + " request", exchanged.requestBody(), 2, shown);
      exchanged.query().keySet().stream()
          .filter(parameter -> hasParameter(exchanged, parameter))
          .forEach(parameter -> shown.add(name + " query " + parameter));
      exchanged.requestHeaders().keySet().forEach(header -> shown.add(name + " " + header(header)));
      // A client may send further members and headers.
      shown.removeIf(line -> line.contains(" request ") && !lines.contains(line));
      shown.removeIf(line -> line.startsWith(name + " header ") && !lines.contains(line));
    }
    return shown;
  }

  /**
   * Whether this member is the {@code results} of a batch. A result contains what the answer to a
   * single event contains, so the members of results get lines too.
   */
  private static boolean isResults(String member) {
    return member.equals("results");
  }

  private static void addShown(String name, JsonNode body, int depth, Set<String> shown) {
    if (body.isArray()) {
      body.forEach(element -> addShown(name, element, depth, shown));
    }
    for (Map.Entry<String, JsonNode> member : body.properties()) {
      shown.add(name + " " + member.getKey());
      if (member.getKey().equals("code")) {
        shown.add(name + " code " + member.getValue().asText());
      }
      if (depth > 0 || isResults(member.getKey())) {
        addShown(
            name + " " + member.getKey(),
            member.getValue(),
            isResults(member.getKey()) ? 1 : depth - 1,
            shown);
      }
    }
  }

  /** The lines that an exchange shows and the document lacks. */
  Set<String> missing(Exchanged exchanged) {
    return shownBy(exchanged).stream()
        .filter(line -> !lines.contains(line))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
