package dev.connectorevents.emulator;

import java.net.URI;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Settings with which AWS clients reach the stand-ins, whatever endpoints, region and credentials
 * the user has set.
 *
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html">Service
 *     specific endpoints</a>
 */
public record SdkSettings(URI dynamoDb, URI secretsManager) {
  public static final String REGION = "us-east-1";

  /** The id and the secret of the access key. DynamoDB Local accepts any letters and digits. */
  public static final String KEY = "local";

  /** The settings as environment variables, for functions. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_REGION",
        REGION,
        "AWS_DEFAULT_REGION",
        REGION,
        "AWS_ACCESS_KEY_ID",
        KEY,
        "AWS_SECRET_ACCESS_KEY",
        KEY,
        "AWS_ENDPOINT_URL_DYNAMODB",
        dynamoDb.toString(),
        "AWS_ENDPOINT_URL_SECRETS_MANAGER",
        secretsManager.toString(),
        // A user's own "true" would switch the endpoints above off, or be refused beside them.
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
        "false",
        "AWS_USE_FIPS_ENDPOINT",
        "false",
        "AWS_USE_DUALSTACK_ENDPOINT",
        "false");
  }

  /** The settings as environment variables, also those of streams and Lambda: for the AWS CLI. */
  public SortedMap<String, String> environmentWith(URI lambda) {
    SortedMap<String, String> variables = new TreeMap<>(environment());
    variables.put("AWS_ENDPOINT_URL_DYNAMODB_STREAMS", dynamoDb.toString());
    variables.put("AWS_ENDPOINT_URL_LAMBDA", lambda.toString());
    return variables;
  }

  /** A new client of DynamoDB. */
  public DynamoDbClient dynamoDbClient() {
    return dynamoDbClient(configuration -> {});
  }

  /** A new client of DynamoDB. */
  public DynamoDbClient dynamoDbClient(
      Consumer<ClientOverrideConfiguration.Builder> configuration) {
    return client(DynamoDbClient.builder(), dynamoDb, configuration);
  }

  /** A new client of the tables' streams. */
  public DynamoDbStreamsClient streamsClient() {
    return client(DynamoDbStreamsClient.builder(), dynamoDb, configuration -> {});
  }

  /** A new client of Secrets Manager. */
  public SecretsManagerClient secretsManagerClient() {
    return secretsManagerClient(configuration -> {});
  }

  /** A new client of Secrets Manager. */
  public SecretsManagerClient secretsManagerClient(
      Consumer<ClientOverrideConfiguration.Builder> configuration) {
    return client(SecretsManagerClient.builder(), secretsManager, configuration);
  }

  private static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C client(
      B builder, URI endpoint, Consumer<ClientOverrideConfiguration.Builder> configuration) {
    return builder
        .endpointOverride(endpoint)
        .fipsEnabled(false)
        .dualstackEnabled(false)
        .overrideConfiguration(configuration)
        .region(Region.of(REGION))
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, KEY)))
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }
}
