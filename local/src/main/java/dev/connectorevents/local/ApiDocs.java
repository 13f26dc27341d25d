package dev.connectorevents.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.HttpAnswer;
import dev.connectorevents.local.page.WebFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

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

  private static final String VERSION_FILE =
      "/META-INF/maven/org.webjars/swagger-ui/pom.properties";

  private final Map<String, WebFile> files;

  /** Fails when Swagger UI is not on the class path. */
  ApiDocs(Path openApi) throws IOException {
    String viewer = "/META-INF/resources/webjars/swagger-ui/" + version() + "/";
    files =
        Map.of(
            "/",
            WebFile.html(file("docs.html")),
            "/docs.js",
            WebFile.javaScript(file("docs.js")),
            "/swagger-ui.css",
            WebFile.css(file(viewer + "swagger-ui.css")),
            "/swagger-ui-bundle.js",
            WebFile.javaScript(file(viewer + "swagger-ui-bundle.js")),
            "/openapi.yaml",
            new WebFile("application/yaml", () -> Files.readAllBytes(openApi)));
  }

  private static WebFile.Content file(String path) {
    return WebFile.resource(ApiDocs.class, path);
  }

  private static String version() throws IOException {
    Properties properties = new Properties();
    properties.load(new ByteArrayInputStream(file(VERSION_FILE).read()));
    return properties.getProperty("version");
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
