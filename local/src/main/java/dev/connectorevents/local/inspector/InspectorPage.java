package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.RequestBody;
import dev.connectorevents.local.inspector.Resender.EditedRequest;
import dev.connectorevents.local.page.WebFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Two pages: one shows the requests to the API as they arrive, and sends them again; the other
 * shows the stored events.
 */
final class InspectorPage implements HttpHandler {

  static final String PATH = "/_inspector";

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS).build();
  private static final int MAX_BODY = 24 * 1024 * 1024; // 10 MB of text, escaped
  private static final int ANY_CASE =
      Pattern.LITERAL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
  private static final Pattern EVENT = Pattern.compile("/events/[0-9a-f-]+");
  private static final String NONCE_HEADER = "X-Inspector-Nonce";
  private static final String NOT_KEPT =
      "This request is gone: local/serve keeps at most the last %d, and none from before a restart."
          .formatted(History.MAX_REQUESTS);
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final History history;
  private final Resender resender;
  private final ExampleFile example;
  private final RowStream stream;

  /** Only the page knows it, so no other page can send requests. */
  private final String nonce = UUID.randomUUID().toString();

  private final Map<String, WebFile> files =
      Map.of(
          "/",
          WebFile.html(this::html),
          "/inspector.css",
          WebFile.css(file("inspector.css")),
          "/stored",
          WebFile.html(file("stored.html")),
          "/inspector.js",
          WebFile.javaScript(file("inspector.js")),
          "/stored.js",
          WebFile.javaScript(file("stored.js")),
          "/panel.js",
          WebFile.javaScript(file("panel.js")),
          "/elements.js",
          WebFile.javaScript(file("elements.js")),
          "/editor.js",
          WebFile.javaScript(file("editor.js")),
          "/keys.js",
          WebFile.javaScript(file("keys.js")));

  InspectorPage(History history, Resender resender, ExampleFile example) {
    this.history = history;
    this.resender = resender;
    this.example = example;
    this.stream = new RowStream(history, UUID.randomUUID().toString());
  }

  private static WebFile.Content file(String name) {
    return WebFile.resource(InspectorPage.class, name);
  }

  private byte[] html() throws IOException {
    String page = new String(file("inspector.html").read(), UTF_8);
    return page.replace("{{nonce}}", nonce).getBytes(UTF_8);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(PATH.length());
    switch (exchange.getRequestMethod() + " " + path) {
      case "GET /stream" -> stream.send(exchange);
      case "POST /send" -> send(exchange, this::edited).send(exchange);
      case "POST /example" -> send(exchange, body -> example.request()).send(exchange);
      case String get when get.startsWith("GET ") -> answer(exchange, path).send(exchange);
      default -> message(405, "only GET, and POST to /_inspector/send and /example").send(exchange);
    }
  }

  private HttpAnswer answer(HttpExchange exchange, String path) throws IOException {
    WebFile file = files.get(path);
    if (file != null) {
      return file.answer(POLICY);
    }
    return switch (path) {
      case "" -> new HttpAnswer(302, List.of(Map.entry("Location", PATH + "/")), new byte[0]);
      case "/search" -> found(exchange.getRequestURI().getRawQuery());
      case String request when request.startsWith("/requests/") ->
          request(request.substring("/requests/".length()));
      case "/events" -> stored("?" + exchange.getRequestURI().getRawQuery());
      case String event when EVENT.matcher(event).matches() ->
          stored(event.substring("/events".length()));
      default -> message(404, "no such page");
    };
  }

  /** The ids of the requests that contain a text, in any case. */
  private HttpAnswer found(String query) throws IOException {
    String text = URLDecoder.decode(Objects.requireNonNullElse(query, ""), UTF_8);
    Predicate<String> searched = Pattern.compile(text, ANY_CASE).asPredicate();
    return json(
        history.all().stream()
            .filter(each -> each.contains(searched))
            .map(RecordedExchange::id)
            .toList());
  }

  private HttpAnswer request(String id) throws IOException {
    Optional<RecordedExchange> found = history.find(id);
    return found.isPresent() ? json(found.get()) : message(404, NOT_KEPT);
  }

  /**
   * The list of the stored events, or one of them, as the API answers it to a consumer.
   *
   * @param rest of the path of the list
   */
  private HttpAnswer stored(String rest) throws IOException {
    try {
      HttpAnswer answer = resender.read("/api/webhook-events" + rest);
      String masked = Masking.mask(new String(answer.body(), UTF_8));
      return HttpAnswer.json(answer.status(), masked).with("Cache-Control", "no-store");
    } catch (NotSendableException e) {
      return message(422, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the service stops");
    }
  }

  /** What to send, from the body that the page has sent. */
  private interface Sendable {
    EditedRequest of(byte[] body) throws NotSendableException, IOException;
  }

  private EditedRequest edited(byte[] body) throws IOException {
    return JSON.readValue(body, EditedRequest.class);
  }

  private HttpAnswer send(HttpExchange exchange, Sendable request) throws IOException {
    if (!nonce.equals(exchange.getRequestHeaders().getFirst(NONCE_HEADER))) {
      RequestBody.discard(exchange);
      return message(403, "Only the inspector's own page may send. Reload it after a restart.");
    }
    Optional<byte[]> body = RequestBody.read(exchange, MAX_BODY);
    if (body.isEmpty()) {
      return message(413, "The request is too large.");
    }
    try {
      return json(Map.of("id", resender.send(request.of(body.get()))));
    } catch (JsonProcessingException e) {
      return message(400, "The edited request is incomplete.");
    } catch (NotSendableException e) {
      return message(422, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the service stops");
    }
  }

  private static HttpAnswer message(int status, String message) {
    ObjectNode body = JSON.createObjectNode().put("message", message);
    return HttpAnswer.json(status, body.toString());
  }

  private static HttpAnswer json(Object value) throws IOException {
    return HttpAnswer.json(200, JSON.writeValueAsString(value)).with("Cache-Control", "no-store");
  }
}
