package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.local.page.WebFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Serves Swagger UI with {@code docs/openapi.yaml}. The page has the API's origin, so its requests
 * reach the API. It loads nothing from other hosts.
 */
final class ApiDocs implements HttpHandler {

  static final String PATH = "/docs";

  /** Swagger UI sets styles of its own while it runs: hence {@code 'unsafe-inline'}. */
  private static final String POLICY =
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:;"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String VIEWER = "org.webjars/swagger-ui";

  private final Map<String, WebFile> files;

  /** Fails when Swagger UI is not on the class path. */
  ApiDocs(Path openApi) throws IOException {
    files =
        Map.of(
            "/",
            WebFile.resource(ApiDocs.class, "docs.html"),
            "/docs.js",
            WebFile.resource(ApiDocs.class, "docs.js"),
            "/swagger-ui.css",
            WebFile.webjar(VIEWER, "swagger-ui.css"),
            "/swagger-ui-bundle.js",
            WebFile.webjar(VIEWER, "swagger-ui-bundle.js"),
            "/openapi.yaml",
            WebFile.named("openapi.yaml", () -> withThisHost(Files.readString(openApi))));
  }

  /** The page sends its requests to the first server of the document. */
  private static byte[] withThisHost(String openApi) {
    return openApi.replaceFirst("(?m)^servers:\n", "servers:\n  - url: /\n").getBytes(UTF_8);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    answer(exchange.getRequestURI().getPath().substring(PATH.length())).send(exchange);
  }

  private HttpAnswer answer(String path) throws IOException {
    if (path.isEmpty()) {
      return new HttpAnswer(302, List.of(Map.entry("Location", PATH + "/")), new byte[0]);
    }
    WebFile file = files.get(path);
    return file == null ? new HttpAnswer(404, List.of(), new byte[0]) : file.answer(POLICY);
  }
}
