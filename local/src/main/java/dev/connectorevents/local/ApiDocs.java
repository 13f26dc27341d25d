package dev.connectorevents.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.http.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * Shows {@code docs/openapi.yaml} in Swagger UI, on the port of the API: so its requests reach the
 * service. The page loads nothing from other hosts.
 */
record ApiDocs(Path openApi) implements HttpHandler {

  static final String PATH = "/docs";

  private static final String DOCUMENT = "openapi.yaml";
  private static final String VIEWER = "META-INF/resources/webjars/swagger-ui/";
  private static final String VIEWERS_VERSION =
      "META-INF/maven/org.webjars/swagger-ui/pom.properties";

  /** What it serves below {@link #PATH}, with the type of each file. */
  private static final Map<String, String> FILES =
      Map.of(
          "docs.html",
          "text/html; charset=utf-8",
          "docs.js",
          "text/javascript; charset=utf-8",
          "swagger-ui.css",
          "text/css; charset=utf-8",
          "swagger-ui-bundle.js",
          "text/javascript; charset=utf-8",
          DOCUMENT,
          "application/yaml");

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    answer(path.substring(PATH.length())).send(exchange);
  }

  private Answer answer(String path) throws IOException {
    if (path.isEmpty()) {
      return new Answer(302, List.of(Map.entry("Location", PATH + "/")), new byte[0]);
    }
    String file = path.equals("/") ? "docs.html" : path.substring(1);
    String type = FILES.get(file);
    return type == null
        ? new Answer(404, List.of(), new byte[0])
        : new Answer(200, List.of(Map.entry("Content-Type", type)), content(file))
            .with("Cache-Control", "no-cache")
            .with(
                "Content-Security-Policy",
                "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:");
  }

  private byte[] content(String file) throws IOException {
    if (file.equals(DOCUMENT)) {
      return Files.readAllBytes(openApi);
    }
    return file.startsWith("docs.")
        ? resource(ApiDocs.class.getResourceAsStream(file))
        : resource(loader().getResourceAsStream(VIEWER + version() + "/" + file));
  }

  private static String version() throws IOException {
    Properties properties = new Properties();
    try (InputStream stream = loader().getResourceAsStream(VIEWERS_VERSION)) {
      properties.load(stream);
    }
    return properties.getProperty("version");
  }

  private static ClassLoader loader() {
    return ApiDocs.class.getClassLoader();
  }

  private static byte[] resource(InputStream stream) throws IOException {
    try (stream) {
      return Objects.requireNonNull(stream).readAllBytes();
    }
  }
}
