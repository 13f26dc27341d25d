package dev.connectorevents.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.connectorevents.functions.GatewayEvent.Answer;
import dev.connectorevents.functions.login.LoginFunction;
import dev.connectorevents.functions.me.MeFunction;
import dev.connectorevents.token.InMemorySigningKeys;
import io.jsonwebtoken.Jwts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DynamoDB and Secrets Manager that take connections and never answer. */
@Timeout(15) // the function's own time-out in the template
class HangingDependencyTest {

  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "USERS_TABLE", "users",
          "LOGIN_ATTEMPTS_TABLE", "attempts",
          "SIGNING_KEY_SECRET_ARN", "arn",
          "TOKEN_ISSUER", "issuer",
          "TOKEN_LIFETIME_SECONDS", "3600",
          "BCRYPT_COST", "4");

  private final ServerSocket silent = listen();

  @BeforeEach
  void leadTheSdkThere() {
    String endpoint = "http://127.0.0.1:" + silent.getLocalPort();
    System.setProperty("aws.endpointUrlDynamoDb", endpoint);
    System.setProperty("aws.endpointUrlSecretsManager", endpoint);
    System.setProperty("aws.region", "us-east-1");
    System.setProperty("aws.accessKeyId", "key");
    System.setProperty("aws.secretAccessKey", "secret");
  }

  @AfterEach
  void restore() throws IOException {
    for (String property :
        new String[] {
          "endpointUrlDynamoDb",
          "endpointUrlSecretsManager",
          "region",
          "accessKeyId",
          "secretAccessKey"
        }) {
      System.clearProperty("aws." + property);
    }
    silent.close();
  }

  @Test
  void a_login_is_told_to_try_again_when_attempts_cannot_be_counted() {
    assertUnavailable(GatewayEvent.read("login"), new LoginFunction(ENVIRONMENT), "UpdateItem");
  }

  @Test
  void nobody_gets_in_when_the_signing_key_cannot_be_read() {
    String token =
        Jwts.builder()
            .header()
            .keyId("v1")
            .and()
            .subject("x")
            .signWith(InMemorySigningKeys.key("v1").key())
            .compact();

    assertUnavailable(
        GatewayEvent.read("me").withToken(token), new MeFunction(ENVIRONMENT), "GetSecretValue");
  }

  private static void assertUnavailable(
      GatewayEvent event, RequestStreamHandler function, String call) {
    RecordingContext context = new RecordingContext();

    Answer answer = event.sendTo(function, context);

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.code()).isEqualTo("temporarily_unavailable");
    assertThat(answer.headers()).containsEntry("Retry-After", "1");
    assertThat(context.lines().getFirst()).contains(call);
  }

  private static ServerSocket listen() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
