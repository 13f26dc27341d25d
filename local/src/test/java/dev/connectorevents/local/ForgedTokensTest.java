package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Forged tokens at the real functions: none is let in, and none makes them fail. */
class ForgedTokensTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SECRET =
      "arn:aws:secretsmanager:us-east-1:000000000000:secret:SigningKeySecret";

  private RunningService service;

  @BeforeEach
  void start() throws IOException {
    service = new RunningService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void a_forged_token_is_refused_and_nothing_is_fetched() throws IOException {
    try (ServerSocket trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Forgery forgery = forgery();
      List<String> tokens = ForgedTokens.all(forgery, "http://127.0.0.1:" + trap.getLocalPort());
      assertThat(tokens).hasSizeGreaterThanOrEqualTo(150).doesNotContain(forgery.good());
      assertThat(me(forgery.good()).get("statusCode").intValue())
          .as("what the forger starts from is good")
          .isEqualTo(200);

      for (String token : tokens) {
        JsonNode answer = me(token);
        assertThat(answer.get("statusCode").intValue()).as(token).isEqualTo(401);
        assertThat(JSON.readTree(answer.get("body").textValue()).get("code").textValue())
            .as(token)
            .isIn("invalid_token", "expired_token", "revoked_token");
      }
      assertNobodyCame(trap);
    }
  }

  private static void assertNobodyCame(ServerSocket trap) throws IOException {
    trap.setSoTimeout(100);
    try {
      trap.accept().close();
      throw new AssertionError("somebody asked for a key");
    } catch (SocketTimeoutException e) {
      assertThat(e).isNotNull();
    }
  }

  /** As Lambda gets it: no HTTP client in between would let all of them through. */
  private JsonNode me(String token) throws IOException {
    ObjectNode event = (ObjectNode) JSON.readTree(Path.of("../events/me.json").toFile());
    ((ObjectNode) event.get("headers")).put("authorization", "Bearer " + token);
    return service
        .send(
            "POST",
            "/2015-03-31/functions/MeFunction/invocations",
            BodyPublishers.ofString(event.toString()))
        .body();
  }

  /** Begins with the strongest position there is: a good token, and the key that signed it. */
  private Forgery forgery() throws IOException {
    String[] parts = service.token().split("\\.", -1);
    try (SecretsManagerClient secrets = SecretsManagerClient.create()) {
      String key = secrets.getSecretValue(get -> get.secretId(SECRET)).secretString();
      return Forgery.of(key.getBytes(UTF_8), decoded(parts[0]), withTimes(decoded(parts[1])));
    }
  }

  private static ObjectNode withTimes(ObjectNode claims) {
    return claims.put("exp", Instant.now().plusSeconds(600).getEpochSecond());
  }

  private static ObjectNode decoded(String part) throws IOException {
    return (ObjectNode) JSON.readTree(Base64.getUrlDecoder().decode(part));
  }
}
