package dev.connectorevents.acceptance.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.Promise;
import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.Setup;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.template.Route;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that every route can return: those of API Gateway, and those of a broken function. */
class ErrorsOfEveryRouteTest {

  private static final String HANDLER = "Handler: \\S+";

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "DefectiveFunction, \"code\":\"internal_error\"",
    "CrashingFunction, {\"message\":\"Internal Server Error\"}",
  })
  @Promise("The function crashed or ran out of time")
  void a_broken_function(String function, String answer) throws Exception {
    String handler = "Handler: " + ErrorsOfEveryRouteTest.class.getName() + "$" + function;

    assertEveryRouteAnswers(500, answer, changed(HANDLER, Matcher.quoteReplacement(handler)));
  }

  /** Answers {@code internal_error}. */
  public static final class DefectiveFunction extends ApiGatewayFunction {
    public DefectiveFunction(Map<String, String> environment) {
      super(request -> {
        throw new IllegalStateException("a defect");
      });
    }
  }

  /** Returns no answer. */
  public static final class CrashingFunction implements RequestStreamHandler {
    public CrashingFunction(Map<String, String> environment) {}

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context) {
      throw new IllegalStateException("a crash");
    }
  }

  @Test
  @Promise("No instance of the function was free")
  void no_free_instance() throws Exception {
    Path template =
        written(
            Files.readString(World.TEMPLATE)
                .replace("ReservedConcurrentExecutions: !If", "Tags: !If")
                .replaceAll(HANDLER, "$0\n      ReservedConcurrentExecutions: 0"));

    assertEveryRouteAnswers(503, "{\"message\":\"Service Unavailable\"}", template);
  }

  @Test
  @Promise("`Too Many Requests`")
  void more_requests_than_the_limit() throws Exception {
    Path template =
        changed(
            "ThrottlingBurstLimit: (!Ref \\w+|!FindInMap .+\\]|\\d+)", "ThrottlingBurstLimit: 0");

    assertEveryRouteAnswers(429, "{\"message\":\"Too Many Requests\"}", template);
  }

  @Test
  @Promise("`Request Entity Too Large`")
  void a_request_that_is_too_large() {
    try (World service = World.start(new Setup().inProcess())) {
      assertEveryRouteAnswers(
          413, "{\"message\":\"Request Entity Too Large\"}", service, 6_300_000, 1);
      assertEveryRouteAnswers(
          431, "{\"message\":\"Request Header Fields Too Large\"}", service, 0, 10_300);
    }
  }

  private Path changed(String pattern, String replacement) throws IOException {
    return written(Files.readString(World.TEMPLATE).replaceAll(pattern, replacement));
  }

  private Path written(String template) throws IOException {
    return Files.writeString(directory.resolve("template.yaml"), template);
  }

  private static void assertEveryRouteAnswers(int status, String answer, Path template) {
    try (World service = World.start(new Setup().template(template).inProcess().throttled())) {
      assertEveryRouteAnswers(status, answer, service, 0, 1);
    }
  }

  private static void assertEveryRouteAnswers(
      int status, String answer, World service, int bodySize, int headerSize) {
    for (Route route : service.template().routes()) {
      Answer response =
          service
              .client()
              .send(
                  route.method(),
                  route.path().replace("{id}", "x"),
                  BodyPublishers.ofByteArray(new byte[bodySize]),
                  "X-Long",
                  "x".repeat(headerSize));
      assertThat(response.status()).as(route.key()).isEqualTo(status);
      assertThat(response.text()).contains(answer);
    }
  }
}
