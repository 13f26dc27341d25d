package dev.connectorevents.acceptance.matrix;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.template.FunctionDefinition;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.token.KeyText;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * The stores that the functions use, and the data in them: users, an event and a signing key.
 *
 * @param template the template of the functions
 * @param settings the endpoints of the stores
 * @param tokens the tokens of two users, signed with the current key
 * @param oldTokens the tokens of two users, signed with the previous key
 * @param largeEvent the id of an event that takes two items in DynamoDB
 */
record Stage(
    Template template,
    Stores stores,
    SdkSettings settings,
    UserTokens tokens,
    UserTokens oldTokens,
    String largeEvent) {

  static final String PASSWORD = "correct horse battery staple";

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

  static Stage make(Template template, Stores stores) {
    Stage empty = new Stage(template, stores, stores.settings(), NONE, NONE, "");
    UserTokens old = empty.login();
    empty.putKey(UUID.randomUUID().toString(), "AWSCURRENT");
    UserTokens tokens = empty.login();
    String large = empty.withTokens(tokens).newLargeEvent();
    return new Stage(template, stores, stores.settings(), tokens, old, large);
  }

  /** Stores a new event that takes two items in DynamoDB, and returns its id. */
  String newLargeEvent() {
    ObjectNode event = Scenario.post(Scenario.event(Scenario.LARGE_PAYLOAD), tokens.connector());
    return answer("CreateEventFunction", event).get("id").textValue();
  }

  private UserTokens login() {
    return new UserTokens(login(Role.CONNECTOR), login(Role.CONSUMER));
  }

  private String login(Role role) {
    return answer("LoginFunction", Scenario.login(newUser(role), PASSWORD))
        .get("access_token")
        .textValue();
  }

  private JsonNode answer(String id, ObjectNode event) {
    try {
      return JSON.readTree(invoke(id, event).get("body").textValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Invokes a function whose calls to AWS do not fail. */
  JsonNode invoke(String id, ObjectNode event) {
    LocalFunction function = LocalFunction.start(function(id), settings.environment(), line -> {});
    try {
      byte[] bytes = JSON.writeValueAsBytes(event);
      Invocation.Answered answer =
          (Invocation.Answered) function.invoke(bytes, "setting-up").outcome();
      return JSON.readTree(answer.payload());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** This world with another Secrets Manager, which serves only one rotation. */
  Stage withSecretsAt(URI secretsManager) {
    return new Stage(
        template,
        stores,
        new SdkSettings(settings.dynamoDb(), secretsManager),
        tokens,
        oldTokens,
        largeEvent);
  }

  Stage withTokens(UserTokens others) {
    return new Stage(template, stores, settings, others, oldTokens, largeEvent);
  }

  FunctionDefinition function(String id) {
    return template.functions().stream()
        .filter(function -> function.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  static String newAddress() {
    return UUID.randomUUID() + "@example.com";
  }

  /** Creates a user with this role, and returns its e-mail address. */
  String newUser(Role role) {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    Email email = new Email(newAddress());
    new DynamoUsers(
            stores.dynamoDb(), stores.name("UsersTable"), stores.name("PasswordHashesTable"))
        .create(
            new User(
                UUID.randomUUID(), email, null, UserState.ACTIVE, role, null, created, created),
            PasswordHash.of(PASSWORD, 4));
    return email.value();
  }

  String secretArn() {
    return template.secrets().getFirst().arn();
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
