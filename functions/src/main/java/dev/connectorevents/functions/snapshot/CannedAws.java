package dev.connectorevents.functions.snapshot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.dynamodb.UserItem;
import dev.connectorevents.http.Json;
import dev.connectorevents.user.UserWithHash;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.warmup.http.CannedResponseHttpClient;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A transport for the SDK's clients that answers from memory: with one user, one signing key, and
 * success for every write. The clients run all their code above the transport.
 */
public final class CannedAws implements SdkHttpClient {

  private static final String KEY = "signs tokens that nobody else accepts";
  private static final String DONE = "{}";

  private final Map<String, String> answers;

  /**
   * @param user the answer to every read of a user
   */
  public CannedAws(UserWithHash user) {
    answers =
        Map.of(
            "DynamoDB_20120810.GetItem",
            Json.write(Map.of("Item", json(UserItem.attributes(user)))),
            "secretsmanager.GetSecretValue",
            Json.write(
                Map.of(
                    "ARN",
                    "arn:aws:secretsmanager:us-east-1:000000000000:secret:canned",
                    "Name",
                    "canned",
                    "VersionId",
                    "canned",
                    "VersionStages",
                    List.of("AWSCURRENT"),
                    "CreatedDate",
                    0.5,
                    "SecretString",
                    KEY)));
  }

  /** An item of texts in DynamoDB's JSON. */
  private static Map<String, Object> json(Map<String, AttributeValue> texts) {
    Map<String, Object> json = new HashMap<>();
    texts.forEach((name, value) -> json.put(name, Map.of("S", value.s())));
    return json;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String answer =
        request.httpRequest().firstMatchingHeader("X-Amz-Target").map(answers::get).orElse(DONE);
    return CannedResponseHttpClient.builder()
        .responseBody(answer.getBytes(UTF_8))
        .build()
        .prepareRequest(request);
  }

  @Override
  public String clientName() {
    return "Canned";
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
