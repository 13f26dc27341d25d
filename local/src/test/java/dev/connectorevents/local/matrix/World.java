package dev.connectorevents.local.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.lambda.Invocation;
import dev.connectorevents.emulator.lambda.LocalFunction;
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
import java.util.UUID;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.SecretsManagerException;

/**
 * What the functions find: users, an event, a signing key.
 *
 * @param settings where the stores are
 * @param largeEvent id of an event that takes two items
 */
record World(
    Template template,
    Stores stores,
    SdkSettings settings,
    String token,
    String consumerToken,
    String largeEvent) {

  static final String PASSWORD = "correct horse battery staple";

  private static final ObjectMapper JSON = new ObjectMapper();

  static World make(Template template, Stores stores) {
    World empty = new World(template, stores, stores.settings(), "", "", "");
    String token = empty.login(Role.CONNECTOR);
    ObjectNode large = Scenario.post(Scenario.event(Scenario.LARGE_PAYLOAD), token);
    return new World(
        template,
        stores,
        stores.settings(),
        token,
        empty.login(Role.CONSUMER),
        empty.answer("CreateEventFunction", large).get("id").textValue());
  }

  private String login(Role role) {
    return answer("LoginFunction", Scenario.login(address(role), PASSWORD))
        .get("access_token")
        .textValue();
  }

  private JsonNode answer(String id, ObjectNode event) {
    LocalFunction function = LocalFunction.start(function(id), settings.environment(), line -> {});
    try {
      byte[] bytes = JSON.writeValueAsBytes(event);
      Invocation.Answered answer =
          (Invocation.Answered) function.invoke(bytes, "setting-up").outcome();
      return JSON.readTree(JSON.readTree(answer.payload()).get("body").textValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same with another Secrets Manager, for one rotation. */
  World withSecretsAt(URI secretsManager) {
    return new World(
        template,
        stores,
        new SdkSettings(settings.dynamoDb(), secretsManager),
        token,
        consumerToken,
        largeEvent);
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

  /** The address of a new user. */
  String address(Role role) {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    Email email = new Email(newAddress());
    new DynamoUsers(stores.dynamoDb(), stores.name("UsersTable"))
        .create(
            new User(UUID.randomUUID(), email, null, UserState.ACTIVE, role, created, created),
            PasswordHash.of(PASSWORD, 4));
    return email.value();
  }

  String secretArn() {
    return template.secrets().getFirst().arn();
  }

  /** A new version of the secret, as Secrets Manager makes it before it calls the function. */
  String pendingVersion(boolean hasKey) {
    try (SecretsManagerClient secrets =
        SecretsManagerClient.builder().endpointOverride(settings.secretsManager()).build()) {
      String version = UUID.randomUUID().toString();
      if (hasKey) {
        secrets.putSecretValue(put ->
            put.secretId(secretArn())
                .clientRequestToken(version)
                .secretString(KeyText.random(new SecureRandom()))
                .versionStages("AWSPENDING"));
      } else {
        rotate(secrets, version);
      }
      return version;
    }
  }

  private void rotate(SecretsManagerClient secrets, String version) {
    try {
      secrets.rotateSecret(rotate -> rotate.secretId(secretArn()).clientRequestToken(version));
    } catch (SecretsManagerException e) {
      // Its Secrets Manager calls no function: the version stays pending.
    }
  }
}
