package dev.connectorevents.secretsmanager;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.token.SigningKey;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/** Reads the versions of the secret that holds the signing key. */
final class SigningKeySecret {

  static final String CURRENT = "AWSCURRENT";
  static final String PREVIOUS = "AWSPREVIOUS";
  static final String PENDING = "AWSPENDING";

  private final SecretsManagerClient client;
  private final String id;

  /**
   * @param id the secret's ARN or name
   */
  SigningKeySecret(SecretsManagerClient client, String id) {
    this.client = client;
    this.id = id;
  }

  /**
   * The key at a staging label; empty if no version has the label.
   *
   * @param version the VersionId that must have the label, or null for any
   * @throws DependencyUnavailableException if Secrets Manager does not answer, or the version holds
   *     no text
   */
  Optional<SigningKey> find(String label, @Nullable String version) {
    return call("GetSecretValue of " + label, () -> read(label, version))
        .map(SigningKeySecret::key);
  }

  private Optional<GetSecretValueResponse> read(String label, @Nullable String version) {
    try {
      return Optional.of(
          client.getSecretValue(get -> get.secretId(id).versionStage(label).versionId(version)));
    } catch (ResourceNotFoundException e) {
      return Optional.empty();
    }
  }

  /** The key of a version; its id is the VersionId. */
  private static SigningKey key(GetSecretValueResponse secret) {
    if (secret.secretString() == null || secret.secretString().isEmpty()) {
      throw new DependencyUnavailableException(
          "version " + secret.versionId() + " of the signing key has no SecretString");
    }
    byte[] key = secret.secretString().getBytes(UTF_8);
    return new SigningKey(secret.versionId(), new SecretKeySpec(key, "HmacSHA256"));
  }

  /**
   * Makes a call.
   *
   * @param name for the log
   * @throws DependencyUnavailableException if Secrets Manager does not answer
   */
  static <T> T call(String name, Supplier<T> sdkCall) {
    try {
      return sdkCall.get();
    } catch (SdkException e) {
      throw new DependencyUnavailableException(name + " failed", e);
    }
  }
}
