package dev.connectorevents.functions.wiring;

import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.functions.resilience.Retries;
import dev.connectorevents.functions.resilience.RetryableCrtClient;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.crt.io.HostResolver;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.crt.AwsCrtHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** The SDK's clients of one function. They share an HTTP client, and time out and retry alike. */
public final class AwsClients implements AutoCloseable {

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

  /** Long enough to upload megabytes, short enough for three tries of one call. */
  public static final Duration TRY_TIMEOUT = Duration.ofMillis(2_500);

  private static final RequestDeadline DEADLINE = new RequestDeadline(TRY_TIMEOUT.plusMillis(500));

  /** Fewest threads CRT accepts for a private pool. */
  private static final int FEWEST_THREADS = 2;

  /**
   * Enough for all functions in the process of {@code local/serve}. Lambda runs one in a process.
   */
  private static final int CONNECTIONS = 1_000;

  private final String endpoint;
  private final SdkHttpClient http;
  private final AwsCredentialsProvider credentials;
  private final ClientOverrideConfiguration settings;

  /** To be closed. */
  private final List<SdkAutoCloseable> clients = new ArrayList<>();

  private @Nullable DynamoDbClient dynamoDb;

  private AwsClients(
      Map<String, String> environment, SdkHttpClient http, AwsCredentialsProvider credentials) {
    this(environment, http, credentials, TRY_TIMEOUT);
  }

  private AwsClients(
      Map<String, String> environment,
      SdkHttpClient http,
      AwsCredentialsProvider credentials,
      Duration tryTimeout) {
    // Not the SDK's own AWS_ENDPOINT_URL: the SDK refuses an empty one.
    this.endpoint = environment.getOrDefault("ENDPOINT_URL", "");
    this.http = http;
    this.credentials = credentials;
    this.settings =
        ClientOverrideConfiguration.builder()
            .apiCallAttemptTimeout(tryTimeout)
            .addExecutionInterceptor(DEADLINE)
            .retryStrategy(new Retries(DEADLINE, new SecureRandom()))
            .build();
  }

  /** The HTTP client of a process: each one loads all trusted certificates, which takes 17 ms. */
  private static final class Shared {
    static final SdkHttpClient HTTP =
        client(AwsCrtHttpClient.builder().maxConcurrency(CONNECTIONS));
  }

  /** Clients over the network that live as long as the process. */
  public static AwsClients overTheNetwork(Map<String, String> environment) {
    return overTheNetwork(environment, TRY_TIMEOUT);
  }

  /**
   * As {@link #overTheNetwork(Map)}, with another time-out of one try. Deadlines do not change:
   * they take it that no try takes longer than {@link #TRY_TIMEOUT}.
   */
  public static AwsClients overTheNetwork(Map<String, String> environment, Duration tryTimeout) {
    return new AwsClients(environment, Shared.HTTP, freshCredentials(), tryTimeout);
  }

  /**
   * Clients over the network with their own DNS cache and connections; both are discarded on close.
   */
  public static AwsClients discardable(Map<String, String> environment) {
    // Otherwise it would share the process's resolver, which keeps the addresses.
    HostResolver.closeStaticDefault();
    SdkHttpClient own = client(AwsCrtHttpClient.builder().numEventLoopThreads(FEWEST_THREADS));
    AwsClients discardable = new AwsClients(environment, own, freshCredentials());
    discardable.clients.add(own);
    return discardable;
  }

  private static SdkHttpClient client(AwsCrtHttpClient.Builder crt) {
    return new RetryableCrtClient(crt.connectionTimeout(CONNECTION_TIMEOUT).build());
  }

  /** A provider of its own: the SDK's default one belongs to the whole process. */
  private static AwsCredentialsProvider freshCredentials() {
    return DefaultCredentialsProvider.builder().build();
  }

  /** Clients over a transport that ignores credentials; theirs are made up. */
  public static AwsClients over(Map<String, String> environment, SdkHttpClient transport) {
    return new AwsClients(
        environment,
        transport,
        StaticCredentialsProvider.create(AwsBasicCredentials.create("canned", "canned")));
  }

  /** The one client of DynamoDB, made on first use: not every function has a table. */
  DynamoDbClient dynamoDb() {
    if (dynamoDb == null) {
      dynamoDb = client(DynamoDbClient.builder());
    }
    return dynamoDb;
  }

  /** A new client of Secrets Manager. */
  SecretsManagerClient secretsManager() {
    return client(SecretsManagerClient.builder());
  }

  private <
          B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C extends SdkAutoCloseable>
      C client(B builder) {
    builder.httpClient(http).credentialsProvider(credentials).overrideConfiguration(settings);
    if (!endpoint.isBlank()) {
      builder.endpointOverride(URI.create(endpoint));
    }
    C client = builder.build();
    clients.add(client);
    return client;
  }

  /**
   * Closes all clients, but not the HTTP client that others share, and discards the process's DNS
   * cache.
   */
  @Override
  public void close() {
    clients.forEach(SdkAutoCloseable::close);
    HostResolver.closeStaticDefault();
  }
}
