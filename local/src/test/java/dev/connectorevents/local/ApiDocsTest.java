package dev.connectorevents.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests the files of the API page, {@code /docs/}, from a local service. */
@ResourceLock(SharedService.LOCK)
class ApiDocsTest {

  @RegisterExtension private static final SharedService shared = new SharedService();

  private final ServedLocally service = shared.service();

  @ParameterizedTest
  @CsvSource({
    "/docs/, text/html, <title>Connector Events",
    "/docs/docs.js, text/javascript, SwaggerUIBundle",
    "/docs/swagger-ui.css, text/css, .swagger-ui",
    "/docs/swagger-ui-bundle.js, text/javascript, SwaggerUIBundle",
    "/docs/openapi.yaml, application/yaml, - url: /",
  })
  void its_files_are_served(String path, String type, String content) {
    HttpResponse<String> answer = service.get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith(type);
    assertThat(answer.headers().firstValue("content-security-policy").orElseThrow())
        .startsWith("default-src 'self';")
        .contains("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'");
    assertThat(answer.body()).contains(content);
  }

  @ParameterizedTest
  @CsvSource({"/docs, 302", "/docs/../template.yaml, 404", "/docs/docs.class, 404", "/docsx, 404"})
  void nothing_else_is_served(String path, int status) {
    assertThat(service.get(path).statusCode()).isEqualTo(status);
  }
}
