package dev.connectorevents.local.inspector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.emulator.http.RequestBody;
import dev.connectorevents.local.inspector.Resender.EditedRequest;
import dev.connectorevents.local.inspector.Resender.NotSendableException;
import dev.connectorevents.local.page.WebFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
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
  private static final Pattern EVENT = Pattern.compile("/events/[0-9a-f-]+");
  private static final String NONCE_HEADER = "X-Inspector-Nonce";
  private static final String NOT_KEPT =
      "This request is gone: local/serve keeps at most the last %d, and none from before a restart."
          .formatted(History.MAX_REQUESTS);
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final List<String> FILES =
      List.of("page.css", "requests.js", "stored.js", "panel.js", "tree.js", "editor.js");

  /** What the scripts import of lit-html, and what that imports. */
  private static final List<String> LIT_HTML =
      List.of("lit-html.js", "directive.js", "directive-helpers.js", "directives/repeat.js");

  private static final String PICO = "pico.fluid.classless.min.css";

  private final History history;
  private final Resender resender;
  private final RowStream stream;

  /** Only the page knows it, so no other page can send requests. */
  private final String nonce = UUID.randomUUID().toString();

  private final Map<String, WebFile> files = new HashMap<>();

  InspectorPage(History history, Resender resender) throws IOException {
    this.history = history;
    this.resender = resender;
    this.stream = new RowStream(history);
    files.put("/", page("requests.js"));
    files.put("/stored", page("stored.js"));
    FILES.forEach(name -> files.put("/" + name, WebFile.resource(InspectorPage.class, name)));
    files.put("/" + PICO, WebFile.webjar("org.webjars.npm/picocss__pico", "css/" + PICO));
    for (String name : LIT_HTML) {
      files.put("/lit-html/" + name, WebFile.webjar("org.webjars.npm/lit-html", name));
    }
  }

  private WebFile page(String script) throws IOException {
    String page =
        new String(WebFile.resource(InspectorPage.class, "page.html").content().read(), UTF_8)
            .replace("{{nonce}}", nonce)
            .replace("{{script}}", script);
    return WebFile.named("page.html", () -> page.getBytes(UTF_8));
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(PATH.length());
    switch (exchange.getRequestMethod() + " " + path) {
      case "GET /stream" -> stream.send(exchange);
      case "POST /send" -> send(exchange).send(exchange);
      case String get when get.startsWith("GET ") -> answer(exchange, path).send(exchange);
      default -> message(405, "only GET, and POST to /_inspector/send").send(exchange);
    }
  }

  private HttpAnswer answer(HttpExchange exchange, String path) throws IOException {
    WebFile file = files.get(path);
    if (file != null) {
      return file.answer(POLICY);
    }
    return switch (path) {
      case "" -> new HttpAnswer(302, List.of(Map.entry("Location", PATH + "/")), new byte[0]);
      case String request when request.startsWith("/requests/") ->
          request(request.substring("/requests/".length()));
      case "/events" -> stored("?" + exchange.getRequestURI().getRawQuery());
      case String event when EVENT.matcher(event).matches() ->
          stored(event.substring("/events".length()));
      default -> message(404, "no such page");
    };
  }

  private HttpAnswer request(String id) throws IOException {
    Optional<RecordedExchange> found = history.find(id);
    return found.isPresent() ? json(200, found.get()) : message(404, NOT_KEPT);
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

  private HttpAnswer send(HttpExchange exchange) throws IOException {
    if (!nonce.equals(exchange.getRequestHeaders().getFirst(NONCE_HEADER))) {
      RequestBody.discard(exchange);
      return message(403, "Only the inspector's own page may send. Reload it after a restart.");
    }
    Optional<byte[]> body = RequestBody.read(exchange, MAX_BODY);
    if (body.isEmpty()) {
      return message(413, "The request is too large.");
    }
    try {
      EditedRequest request = JSON.readValue(body.get(), EditedRequest.class);
      return json(200, Map.of("id", resender.send(request)));
    } catch (JsonProcessingException e) {
      return message(400, "The edited request is incomplete.");
    } catch (NotSendableException e) {
      return message(422, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      throw new InterruptedIOException("the service stops");
    }
  }

  private static HttpAnswer message(int status, String message) throws IOException {
    return json(status, Map.of("message", message));
  }

  private static HttpAnswer json(int status, Object value) throws IOException {
    return HttpAnswer.json(status, JSON.writeValueAsString(value))
        .with("Cache-Control", "no-store");
  }
}
