package dev.connectorevents.acceptance.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.acceptance.service.RestoredTable;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.event.Timestamp;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * A world with the data that the scenarios use: users, an event and a signing key.
 *
 * @param settings the endpoints of the stores
 * @param tokens the tokens of two users, signed with the current key
 * @param oldTokens the tokens of two users, signed with the previous key
 * @param largeEvent the id of an event that takes two items in DynamoDB
 */
record Stage(
    World world, SdkSettings settings, UserTokens tokens, UserTokens oldTokens, String largeEvent) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final UserTokens NONE = new UserTokens("", "");

  /** The tokens of one connector and one consumer. */
  record UserTokens(String connector, String consumer) {

    /** The same tokens, but their {@code kid} names a key that does not exist. */
    UserTokens withUnknownKey() {
      return new UserTokens(withUnknownKey(connector), withUnknownKey(consumer));
    }

    private static String withUnknownKey(String token) {
      String header = "{\"alg\":\"HS256\",\"kid\":\"unknown\"}";
      return Base64.getUrlEncoder().withoutPadding().encodeToString(header.getBytes(UTF_8))
          + token.substring(token.indexOf('.'));
    }
  }

  static Stage make(World world) {
    Stage empty = new Stage(world, world.settings(), NONE, NONE, "");
    UserTokens old = empty.login();
    empty.putKey(UUID.randomUUID().toString(), "AWSCURRENT");
    world.kill(); // its functions know the previous key only
    UserTokens tokens = empty.login();
    String large = empty.withTokens(tokens).newLargeEvent();
    world.numbering().beat();
    RestoredTable.create(world, "EventsTable", "id");
    return new Stage(world, world.settings(), tokens, old, large);
  }

  /** Stores a new event that takes two items in DynamoDB, and returns its id. */
  String newLargeEvent() {
    ObjectNode event = Scenario.post(Scenario.event(Scenario.LARGE_PAYLOAD), tokens.connector());
    return answer("CreateEventFunction", event).get("id").textValue();
  }

  void delete(String id) {
    world
        .dynamoDb()
        .deleteItem(delete ->
            delete
                .tableName(world.name("EventsTable"))
                .key(Map.of("id", AttributeValue.fromS(id))));
  }

  void moveToRestored(String id) {
    for (String item : List.of(id, id + "#1")) {
      Map<String, AttributeValue> key = Map.of("id", AttributeValue.fromS(item));
      Map<String, AttributeValue> stored =
          world.dynamoDb().getItem(get -> get.tableName(world.name("EventsTable")).key(key)).item();
      world
          .dynamoDb()
          .putItem(put -> put.tableName(RestoredTable.name(world, "EventsTable")).item(stored));
      delete(item);
    }
  }

  /** Says of a stored event that it was created at another time. */
  void setCreatedAt(String id, Instant time) {
    world
        .dynamoDb()
        .updateItem(update ->
            update
                .tableName(world.name("EventsTable"))
                .key(Map.of("id", AttributeValue.fromS(id)))
                .updateExpression("SET created_at = :time")
                .expressionAttributeValues(
                    Map.of(":time", AttributeValue.fromS(Timestamp.of(time)))));
  }

  /** Whether the feed says until when it is whole. */
  boolean isFeedKnown() {
    String path = "/api/webhook-events?order=asc&limit=1";
    return world.client().get(path, tokens.consumer()).body().has("whole_until");
  }

  private UserTokens login() {
    return new UserTokens(login(Role.CONNECTOR), login(Role.CONSUMER));
  }

  private String login(Role role) {
    return answer("LoginFunction", Scenario.login(newUser(role), World.PASSWORD))
        .get("access_token")
        .textValue();
  }

  JsonNode answer(String id, ObjectNode event) {
    try {
      return JSON.readTree(invoke(id, event).get("body").textValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Invokes a function whose calls to AWS do not fail. */
  JsonNode invoke(String id, ObjectNode event) {
    return world.operator().invoke(id, event.toString());
  }

  /** This stage with another Secrets Manager, which serves only one rotation. */
  Stage withSecretsAt(URI secretsManager) {
    SdkSettings others = new SdkSettings(settings.dynamoDb(), secretsManager);
    return new Stage(world, others, tokens, oldTokens, largeEvent);
  }

  Stage withTokens(UserTokens others) {
    return new Stage(world, settings, others, oldTokens, largeEvent);
  }

  FunctionDefinition function(String id) {
    return world.template().functions().stream()
        .filter(function -> function.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  static String newAddress() {
    return UUID.randomUUID() + "@example.com";
  }

  String newUser(Role role) {
    String email = newAddress();
    world.createUser(email, World.PASSWORD, role);
    return email;
  }

  String secretArn() {
    return world.template().secrets().getFirst().arn();
  }

  /**
   * Adds a pending version to the secret of the signing key, and returns the version's id.
   *
   * @param hasKey whether the version contains a key, as it does after the step {@code
   *     createSecret}
   */
  String pendingVersion(boolean hasKey) {
    String version = UUID.randomUUID().toString();
    if (hasKey) {
      putKey(version, "AWSPENDING");
    } else {
      rotate(version);
    }
    return version;
  }

  private void putKey(String version, String label) {
    try (SecretsManagerClient secrets = secretsManager()) {
      secrets.putSecretValue(put ->
          put.secretId(secretArn())
              .clientRequestToken(version)
              .secretString(KeyText.random(new SecureRandom()))
              .versionStages(label));
    }
  }

  private void rotate(String version) {
    try (SecretsManagerClient secrets = secretsManager()) {
      secrets.rotateSecret(rotate -> rotate.secretId(secretArn()).clientRequestToken(version));
    } catch (SecretsManagerException e) {
      // Expected: this Secrets Manager calls no function, so the version stays pending.
    }
  }

  private SecretsManagerClient secretsManager() {
    return settings.secretsManagerClient();
  }
}
