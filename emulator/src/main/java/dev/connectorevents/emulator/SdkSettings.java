package dev.connectorevents.emulator;

import java.net.URI;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/**
 * Settings with which AWS clients reach the stand-ins, whatever the user's own settings are: the
 * SDK prefers system properties to the environment and to configuration files.
 *
 * @see <a href="https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html">Service
 *     specific endpoints</a>
 */
public record SdkSettings(URI dynamoDb, URI secretsManager) {
  public static final String REGION = "us-east-1";

  /** DynamoDB Local accepts any credentials of letters and digits. */
  public static final String KEY = "local";

  private static final ClientOverrideConfiguration DEFAULTS =
      ClientOverrideConfiguration.builder().build();

  /** Sets the system properties. */
  public void apply() {
    System.setProperty("aws.region", REGION);
    System.setProperty("aws.accessKeyId", KEY);
    System.setProperty("aws.secretAccessKey", KEY);
    System.setProperty("aws.endpointUrlDynamoDb", dynamoDb.toString());
    System.setProperty("aws.endpointUrlSecretsManager", secretsManager.toString());
    System.setProperty("aws.ignoreConfiguredEndpointUrls", "false");
  }

  /** The same settings as environment variables, for functions and the AWS CLI. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_REGION", REGION,
        "AWS_DEFAULT_REGION", REGION,
        "AWS_ACCESS_KEY_ID", KEY,
        "AWS_SECRET_ACCESS_KEY", KEY,
        "AWS_ENDPOINT_URL_DYNAMODB", dynamoDb.toString(),
        "AWS_ENDPOINT_URL_SECRETS_MANAGER", secretsManager.toString(),
        "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "false");
  }

  static DynamoDbClient dynamoDbClient(URI endpoint) {
    return client(DynamoDbClient.builder(), endpoint, DEFAULTS);
  }

  static SecretsManagerClient secretsManagerClient(URI endpoint) {
    return client(SecretsManagerClient.builder(), endpoint, DEFAULTS);
  }

  static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> C client(
      B builder, URI endpoint, ClientOverrideConfiguration configuration) {
    return builder
        .endpointOverride(endpoint)
        .overrideConfiguration(configuration)
        .region(Region.of(REGION))
        .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY, KEY)))
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }
}
