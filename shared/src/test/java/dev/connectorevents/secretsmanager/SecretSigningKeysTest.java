package dev.connectorevents.secretsmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.connectorevents.DependencyUnavailableException;
import dev.connectorevents.emulator.Endpoint;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.token.SigningKeys;
import dev.connectorevents.token.SigningKeysTest;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueRequest;
import software.amazon.awssdk.services.secretsmanager.model.GetSecretValueResponse;

class SecretSigningKeysTest extends SigningKeysTest {

  @AutoClose
  private final Stores stores = Endpoint.stores(Path.of("src/test/resources/secret-template.yaml"));

  @AutoClose private final SecretsManagerClient client = stores.settings().secretsManagerClient();

  private final SigningKeys keys = new SecretSigningKeys(client, stores.name("Key"));
  private final SecretRotation rotation = new SecretRotation(client, stores.name("Key"));

  @Override
  protected SigningKeys keys() {
    return keys;
  }

  @Override
  protected void prepare(String id) {
    rotation.store(id, "the key " + id);
  }

  @Override
  protected void rotate(String id) {
    rotation.makeCurrent(id, keys.current().id());
  }

  /** A client of Secrets Manager that returns the same secret for every version. */
  private record OneSecret(GetSecretValueResponse secret) implements SecretsManagerClient {
    @Override
    public GetSecretValueResponse getSecretValue(GetSecretValueRequest request) {
      return secret;
    }

    @Override
    public String serviceName() {
      return SERVICE_NAME;
    }

    @Override
    public void close() {}
  }

  static Stream<GetSecretValueResponse> secretsWithoutAText() {
    GetSecretValueResponse.Builder secret = GetSecretValueResponse.builder().versionId("v1");
    return Stream.of(
        secret.build(),
        secret.copy().secretBinary(SdkBytes.fromUtf8String("a key in bytes")).build(),
        secret.copy().secretString("").build());
  }

  @ParameterizedTest
  @MethodSource("secretsWithoutAText")
  void a_secret_without_a_text_is_a_failing_dependency(GetSecretValueResponse secret) {
    SecretSigningKeys keys = new SecretSigningKeys(new OneSecret(secret), "arn");

    for (Function<SigningKeys, Object> read :
        Stream.<Function<SigningKeys, Object>>of(
                SigningKeys::current, SigningKeys::previous, SigningKeys::pending)
            .toList()) {
      assertThatExceptionOfType(DependencyUnavailableException.class)
          .isThrownBy(() -> read.apply(keys))
          .withMessage("version v1 of the signing key has no SecretString");
    }
  }

  @ParameterizedTest
  @MethodSource("secretsWithoutAText")
  void a_secret_without_a_text_fails_the_rotation_too(GetSecretValueResponse secret) {
    SecretRotation versions = new SecretRotation(new OneSecret(secret), "arn");

    assertThatExceptionOfType(DependencyUnavailableException.class)
        .isThrownBy(() -> versions.pending("v1"))
        .satisfies(failure -> assertThat(failure).hasNoCause());
  }
}
