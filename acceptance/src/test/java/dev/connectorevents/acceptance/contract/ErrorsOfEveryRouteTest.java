package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.local.contract.Traffic;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes wrong on any route: in API Gateway, and in a function that is broken. */
class ErrorsOfEveryRouteTest {

  private static final Path TEMPLATE = Path.of("../template.yaml");
  private static final String WITH_A_ROUTE =
      "Handler: dev\\.connectorevents\\.functions\\.(login|refresh|me|createevent|readevent|listevents)\\.\\w+";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "DefectiveFunction, \"code\":\"internal_error\"",
    "CrashingFunction, {\"message\":\"Internal Server Error\"}",
  })
  void a_broken_function(String function, String answer) throws Exception {
    String handler = "Handler: dev.connectorevents.acceptance.contract." + function;

    assertEveryRouteAnswers(500, answer, changed(WITH_A_ROUTE, handler));
  }

  @Test
  void no_free_instance() throws Exception {
    Path template =
        written(
            Files.readString(TEMPLATE)
                .replace("ReservedConcurrentExecutions: !If", "Tags: !If")
                .replaceAll(WITH_A_ROUTE, "$0\n      ReservedConcurrentExecutions: 0"));

    assertEveryRouteAnswers(503, "{\"message\":\"Service Unavailable\"}", template);
  }

  @Test
  void more_requests_than_the_limit() throws Exception {
    Path template = changed("ThrottlingBurstLimit: (!Ref \\w+|\\d+)", "ThrottlingBurstLimit: 0");

    assertEveryRouteAnswers(429, "{\"message\":\"Too Many Requests\"}", template);
  }

  @Test
  void a_request_that_is_too_large() throws Exception {
    assertEveryRouteAnswers(
        413, "{\"message\":\"Request Entity Too Large\"}", TEMPLATE, 6_300_000, 1);
    assertEveryRouteAnswers(
        431, "{\"message\":\"Request Header Fields Too Large\"}", TEMPLATE, 0, 10_300);
  }

  private Path changed(String pattern, String replacement) throws IOException {
    return written(Files.readString(TEMPLATE).replaceAll(pattern, replacement));
  }

  private Path written(String template) throws IOException {
    return Files.writeString(directory.resolve("template.yaml"), template);
  }

  private static void assertEveryRouteAnswers(int status, String answer, Path template)
      throws Exception {
    assertEveryRouteAnswers(status, answer, template, 0, 1);
  }

  private static void assertEveryRouteAnswers(
      int status, String answer, Path template, int bodySize, int headerSize) throws Exception {
    EmulatorOptions options = EmulatorOptions.inMemory(template).observed(Traffic.RECORDED);
    try (Emulator service = Emulator.start(options);
        HttpClient client = HttpClient.newHttpClient()) {
      for (Route route : service.template().routes()) {
        HttpRequest request =
            HttpRequest.newBuilder(
                    URI.create(service.baseUrl() + route.path().replace("{id}", "x")))
                .method(route.method(), BodyPublishers.ofByteArray(new byte[bodySize]))
                .header("X-Long", "x".repeat(headerSize))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(route.key()).isEqualTo(status);
        assertThat(response.body()).contains(answer);
      }
    }
  }
}
