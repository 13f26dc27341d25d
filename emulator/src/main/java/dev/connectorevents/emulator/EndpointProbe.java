package dev.connectorevents.emulator;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Checks that DynamoDB and Secrets Manager answer at the user's endpoint. The SDK's own messages do
 * not say what to do about a wrong endpoint.
 *
 * @param patience for each of them; LocalStack starts a service when it is first called
 */
record EndpointProbe(URI endpoint, Duration patience) {

  EndpointProbe(URI endpoint) {
    this(endpoint, Duration.ofSeconds(30));
  }

  /**
   * Returns if both answer.
   *
   * @throws IOException saying what is wrong with the endpoint
   */
  void requireBoth() throws IOException {
    SdkSettings settings = new SdkSettings(endpoint, endpoint);
    try (DynamoDbClient client = settings.dynamoDbClient(this::once)) {
      require("DynamoDB", () -> client.listTables(list -> list.limit(1)).hasTableNames());
    }
    try (SecretsManagerClient client = settings.secretsManagerClient(this::once)) {
      require("Secrets Manager", () -> client.listSecrets(l -> l.maxResults(1)).hasSecretList());
    }
  }

  private void once(ClientOverrideConfiguration.Builder configuration) {
    configuration.retryStrategy(AwsRetryStrategy.doNotRetry()).apiCallTimeout(patience);
  }

  private void require(String service, BooleanSupplier answers) throws IOException {
    try {
      if (!answers.getAsBoolean()) {
        throw new IOException(wrongEndpoint(service, "its answer has another format"));
      }
    } catch (AwsServiceException e) {
      throw new IOException(wrongEndpoint(service, "it answered with status " + e.statusCode()), e);
    } catch (ApiCallTimeoutException e) {
      throw new IOException(
          "%s did not answer within %d s".formatted(endpoint, patience.toSeconds()), e);
    } catch (SdkClientException e) {
      throw new IOException(reason(service, e), e);
    }
  }

  private String reason(String service, SdkClientException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return switch (cause) {
      case ConnectException refused ->
          "nothing listens at "
              + endpoint
              + ": start LocalStack or moto first, or correct --endpoint";
      case UnknownHostException unknown -> "there is no host called " + endpoint.getHost();
      default -> wrongEndpoint(service, String.valueOf(cause.getMessage()));
    };
  }

  private String wrongEndpoint(String service, String why) {
    return "%s is not the endpoint of a %s: %s".formatted(endpoint, service, why);
  }
}
