package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.functions.lambda.ApiGatewayFunction;
import dev.connectorevents.http.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzzes the parser of API Gateway's events. */
class GatewayEventFuzzTest {

  private final ApiGatewayFunction function =
      new ApiGatewayFunction(
          request -> Response.json(200, Map.of("text", request.text().isPresent())));

  private static Stream<Named<byte[]>> requests() throws IOException {
    return eventFiles("*.json");
  }

  /** The files of {@code events/} with these names, a glob, as seeds of the fuzzing. */
  static Stream<Named<byte[]>> eventFiles(String names) throws IOException {
    List<Named<byte[]>> seeds = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("../events"), names)) {
      for (Path file : files) {
        seeds.add(named(file.getFileName().toString(), Files.readAllBytes(file)));
      }
    }
    return seeds.stream();
  }

  @MethodSource("requests")
  @FuzzTest
  void an_event_is_a_request_or_broken(byte[] bytes) {
    Budget.spend(
        bytes,
        () -> {
          ByteArrayOutputStream answer = new ByteArrayOutputStream();
          try {
            function.handleRequest(new ByteArrayInputStream(bytes), answer, SilentContext.create());
            assertThat(answer.toString(UTF_8)).contains("\"statusCode\":200");
          } catch (IOException e) {
            // The input is not an event.
          }
        });
  }
}
