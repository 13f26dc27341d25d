package dev.connectorevents.acceptance.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.emulator.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * An operator of the service, who invokes functions by their names.
 *
 * @param secret the name of the secret with the signing key
 */
public record Operator(ApiClient client, String secret) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Invokes a function, and returns its answer or its error. */
  public JsonNode invoke(String function, String event) {
    return client.post("/2015-03-31/functions/" + function + "/invocations", event).body();
  }

  /** The actions on users, as the function names them in the fault of an event without one. */
  public Stream<String> actions() {
    String rule = invoke("ManageUsersFunction", "{}").at("/errors/0/detail").textValue();
    return Stream.of(rule.replace("required: one of ", "").split(", ", -1));
  }

  public JsonNode manageUsers(String action, String email) {
    String event = JSON.createObjectNode().put("action", action).put("email", email).toString();
    return invoke("ManageUsersFunction", event);
  }

  /** Sets the scope of a user. Without patterns, lifts it. */
  public void setScope(String email, String... patterns) {
    ObjectNode event = JSON.createObjectNode().put("action", "set-scope").put("email", email);
    event.set("event_types", JSON.valueToTree(patterns.length == 0 ? null : patterns));
    JsonNode answer = invoke("ManageUsersFunction", event.toString());
    if (!answer.has("user")) {
      throw new IllegalStateException(answer.toString());
    }
  }

  public JsonNode listUsers() {
    return invoke("ManageUsersFunction", "{\"action\":\"list\"}");
  }

  public JsonNode findEvents(JsonNode event) {
    return invoke("FindEventsFunction", event.toString());
  }

  public JsonNode eraseEvents(JsonNode event) {
    return invoke("EraseEventsFunction", event.toString());
  }

  /**
   * Calls {@code EraseEventsFunction} until an answer has no {@code next}. If a call after the
   * first gets {@code temporarily_unavailable}, repeats that call.
   *
   * @return the answers in order; of a repeated call, only the last answer
   */
  public List<JsonNode> eraseToTheEnd(ObjectNode event) {
    List<JsonNode> answers = new ArrayList<>(List.of(eraseEvents(event)));
    while (answers.getLast().has("next")) {
      sleep(answers.getLast().path("wait_seconds").intValue());
      ObjectNode next = event.deepCopy();
      next.set("next", answers.getLast().get("next"));
      JsonNode answer = eraseEvents(next);
      if (!answer.path("code").asText().equals("temporarily_unavailable")) { // else it retries
        answers.add(answer);
      }
    }
    return answers;
  }

  /** Erases these events, and returns the {@code erasure_id}. */
  public String erase(String... ids) {
    ObjectNode event = JSON.createObjectNode();
    Stream.of(ids).forEach(event.withArray("ids")::add);
    JsonNode last = eraseToTheEnd(event).getLast();
    if (!last.path("complete").booleanValue()) {
      throw new IllegalStateException(last.toString());
    }
    return last.path("erasure_id").textValue();
  }

  private static void sleep(int seconds) {
    try {
      Thread.sleep(Duration.ofSeconds(seconds));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Creates a user with the role {@code consumer}, and returns a static token for that user. */
  public String consumerToken() {
    String address = "consumer@example.com";
    invoke(
        "ManageUsersFunction",
        "{\"action\":\"create\",\"email\":\"" + address + "\",\"role\":\"consumer\"}");
    return staticToken(address);
  }

  public String staticToken(String email) {
    return manageUsers("issue-static-token", email).at("/token/access_token").asText();
  }

  /**
   * Rotates the signing key, and returns the id of the secret's new version. If Secrets Manager
   * runs in another process, it cannot call the functions. This method then creates a pending
   * version, and calls the rotation function for each step.
   */
  public String rotate(SecretsManagerClient secrets) {
    if (!Endpoint.isGiven()) {
      return secrets.rotateSecret(rotate -> rotate.secretId(secret)).versionId();
    }
    String version = UUID.randomUUID().toString();
    String key =
        secrets
            .getRandomPassword(random -> random.passwordLength(64L).excludePunctuation(true))
            .randomPassword();
    secrets.putSecretValue(put ->
        put.secretId(secret)
            .clientRequestToken(version)
            .secretString(key)
            .versionStages("AWSPENDING"));
    for (String step : List.of("createSecret", "setSecret", "testSecret", "finishSecret")) {
      ObjectNode event = JSON.createObjectNode().put("Step", step).put("SecretId", secret);
      JsonNode answer =
          invoke("RotateSigningKeyFunction", event.put("ClientRequestToken", version).toString());
      if (answer.has("errorMessage")) {
        throw new IllegalStateException(step + ": " + answer);
      }
    }
    return version;
  }
}
