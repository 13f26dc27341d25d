package dev.connectorevents.acceptance.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.connectorevents.acceptance.service.ApiClient.Answer;
import dev.connectorevents.acceptance.service.World;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Collects the secrets and the answers of a test, and asserts that no answer and no log contains a
 * secret.
 */
final class Secrecy {

  static final String WRONG_PASSWORD = "wrong-password-5d2e";
  static final String CHOSEN_PASSWORD = "chosen-password-9a41";
  static final String SHORT_PASSWORD = "short-5d2e";
  static final String PAYLOAD = "payload-7c1f";

  /**
   * The length of a bcrypt hash's prefix. The prefix names the version and the cost, and is not
   * secret.
   */
  private static final int HASH_PREFIX = "$2a$10$".length();

  private final Set<String> secrets =
      new LinkedHashSet<>(
          List.of(World.PASSWORD, WRONG_PASSWORD, CHOSEN_PASSWORD, SHORT_PASSWORD, PAYLOAD));
  private final List<String> answers = new ArrayList<>();
  private final World service;

  Secrecy(World service) {
    this.service = service;
    try (SecretsManagerClient client = service.settings().secretsManagerClient()) {
      keepSigningKey(client);
    }
  }

  void keepSigningKey(SecretsManagerClient client) {
    keep(
        client
            .getSecretValue(get -> get.secretId(service.name("SigningKeySecret")))
            .secretString());
  }

  void keep(String secret) {
    assertThat(secret).hasSizeGreaterThan(8);
    secrets.add(secret);
  }

  /**
   * Adds the token's claims and its signature to the secrets, and returns the token. The header is
   * not secret.
   */
  String keepToken(String token) {
    String[] parts = token.split("\\.", -1);
    keep(parts[1]);
    keep(parts[2]);
    return token;
  }

  void keepHashes() {
    for (Map<String, AttributeValue> item :
        service
            .dynamoDb()
            .scan(scan -> scan.tableName(service.name("PasswordHashesTable")))
            .items()) {
      String hash = Objects.requireNonNull(item.get("password_hash")).s();
      keep(hash.substring(HASH_PREFIX));
    }
  }

  /**
   * Keeps an answer for {@link #assertKeptInAnswers}.
   *
   * @param allowed a secret that this answer may contain; empty if none
   */
  void collect(Answer answer, String allowed) {
    String body = answer.text();
    answers.add(
        answer.response().headers().map() + (allowed.isEmpty() ? body : body.replace(allowed, "")));
  }

  void assertKeptIn(String text) {
    for (String secret : secrets) {
      assertThat(text).doesNotContain(secret);
    }
  }

  void assertKeptInAnswers() {
    assertThat(answers).isNotEmpty().allSatisfy(this::assertKeptIn);
  }
}
