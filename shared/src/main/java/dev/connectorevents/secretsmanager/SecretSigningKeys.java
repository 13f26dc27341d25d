package dev.connectorevents.secretsmanager;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.token.SigningKey;
import dev.connectorevents.token.SigningKeys;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/**
 * Reads the signing keys from a secret by staging label. It never reads by the VersionId alone: a
 * token names one, and Secrets Manager returns old versions that way.
 */
public final class SecretSigningKeys implements SigningKeys {

  static final String CURRENT = "AWSCURRENT";
  static final String PREVIOUS = "AWSPREVIOUS";
  static final String PENDING = "AWSPENDING";

  private final SecretsManagerClient secretsManager;
  private final String secretId;

  /**
   * @param secretId the secret's ARN or name
   */
  public SecretSigningKeys(SecretsManagerClient secretsManager, String secretId) {
    this.secretsManager = secretsManager;
    this.secretId = secretId;
  }

  @Override
  public SigningKey current() {
    return find(CURRENT, null)
        .orElseThrow(() ->
            new DependencyUnavailableException("no version of the signing key is " + CURRENT));
  }

  @Override
  public Optional<SigningKey> previous() {
    return find(PREVIOUS, null); // none before the first rotation
  }

  @Override
  public Optional<SigningKey> pending() {
    return find(PENDING, null); // none before the first rotation
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
        .map(SecretSigningKeys::key);
  }

  private Optional<GetSecretValueResponse> read(String label, @Nullable String version) {
    try {
      return Optional.of(
          secretsManager.getSecretValue(
              get -> get.secretId(secretId).versionStage(label).versionId(version)));
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
