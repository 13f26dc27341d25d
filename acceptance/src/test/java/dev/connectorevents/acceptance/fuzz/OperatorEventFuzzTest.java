package dev.connectorevents.acceptance.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.connectorevents.functions.operators.OperatorFunction;
import dev.connectorevents.functions.operators.OperatorHandler;
import dev.connectorevents.functions.operators.erase.EraseEventsFunction;
import dev.connectorevents.functions.operators.find.FindEventsFunction;
import dev.connectorevents.functions.operators.restore.RestoreEventsFunction;
import dev.connectorevents.functions.operators.users.ManageUsersFunction;
import dev.connectorevents.functions.rotatesigningkey.RotateSigningKeyFunction;
import dev.connectorevents.functions.wiring.AwsClients;
import dev.connectorevents.functions.wiring.Wiring;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/** Fuzzes the functions without a route: those that operators and Secrets Manager invoke. */
class OperatorEventFuzzTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.ofEntries(
          entry("USERS_TABLE", "users"),
          entry("PASSWORD_HASHES_TABLE", "hashes"),
          entry("EVENTS_TABLE", "events"),
          entry("ERASURES_TABLE", "erasures"),
          entry("FEED_LAG_SECONDS", "10"),
          entry("FEED_TABLE", "feed"),
          entry("BACKUP_DAYS", "35"),
          entry("SIGNING_KEY_SECRET_ARN", "arn"),
          entry("TOKEN_ISSUER", "issuer"),
          entry("KEY_ROTATION_DAYS", "30"),
          entry("BCRYPT_COST", "4"));

  static {
    System.setProperty("aws.region", "us-east-1");
  }

  private final Wiring wiring =
      new Wiring(ENVIRONMENT, AwsClients.over(ENVIRONMENT, new NoItems()));

  /** Answers calls to AWS as if all tables were empty: reads find nothing, updates fail. */
  private static final class NoItems implements SdkHttpClient {
    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() {
          String operation = request.httpRequest().firstMatchingHeader("X-Amz-Target").orElse("");
          return operation.endsWith("UpdateItem")
              ? answer(400, "{\"__type\":\"ConditionalCheckFailedException\"}")
              : answer(200, "{}");
        }

        @Override
        public void abort() {}
      };
    }

    private static HttpExecuteResponse answer(int status, String body) {
      return HttpExecuteResponse.builder()
          .response(SdkHttpResponse.builder().statusCode(status).build())
          .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body.getBytes(UTF_8))))
          .build();
    }

    @Override
    public void close() {}
  }

  private static Stream<Named<byte[]>> events() throws IOException {
    return GatewayEventFuzzTest.eventFiles(
        "{manage-users.*,find-events.*,erase-events.*,restore-events.*,rotate-signing-key}.json");
  }

  @MethodSource("events")
  @FuzzTest
  void an_event_is_carried_out_or_refused(byte[] bytes) {
    for (OperatorHandler handler :
        List.of(
            ManageUsersFunction.handler(wiring),
            FindEventsFunction.handler(wiring),
            EraseEventsFunction.handler(wiring),
            RestoreEventsFunction.handler(wiring))) {
      Budget.spend(
          bytes,
          () -> {
            try {
              handle(new OperatorFunction(handler), bytes);
            } catch (IllegalStateException e) {
              assertThat(e).hasMessage("this function must not have a route");
            }
          });
    }
    Budget.spend(
        bytes,
        () -> {
          try {
            handle(new RotateSigningKeyFunction(wiring), bytes);
          } catch (IllegalArgumentException | IllegalStateException e) {
            // Expected: the event has no valid step, or names another secret.
          }
        });
  }

  private static void handle(RequestStreamHandler function, byte[] bytes) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    function.handleRequest(new ByteArrayInputStream(bytes), answer, SilentContext.create());
    assertThat(answer.toString(UTF_8)).doesNotContain("internal_error");
  }
}
