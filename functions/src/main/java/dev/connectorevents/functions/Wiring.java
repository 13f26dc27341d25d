package dev.connectorevents.functions;

import dev.connectorevents.aws.CannedAws;
import dev.connectorevents.aws.DynamoEvents;
import dev.connectorevents.aws.DynamoLoginAttempts;
import dev.connectorevents.aws.DynamoUsers;
import dev.connectorevents.aws.IoFailures;
import dev.connectorevents.aws.RequestDeadline;
import dev.connectorevents.aws.Retries;
import dev.connectorevents.aws.SecretSigningKeys;
import dev.connectorevents.aws.SecretVersions;
import dev.connectorevents.event.Events;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKeyVersions;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.UserWithHash;
import dev.connectorevents.user.Users;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
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

/** Makes what a function needs out of its environment, once per cold start. */
public final class Wiring implements AutoCloseable {

  /** That CRT lets a client have for itself. */
  private static final int LEAST_THREADS = 2;

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

  /** Long enough to upload megabytes, short enough for three tries of one call. */
  private static final Duration TRY_TIMEOUT = Duration.ofMillis(2_500);

  private static final RequestDeadline DEADLINE = new RequestDeadline(TRY_TIMEOUT.plusMillis(500));

  private final Map<String, String> environment;
  private final Clock clock = Clock.systemUTC();
  private final RandomGenerator random = new SecureRandom();
  private final SdkHttpClient http;
  private final AwsCredentialsProvider credentials;
  private final List<SdkAutoCloseable> clients = new ArrayList<>();
  private final ClientOverrideConfiguration settings =
      ClientOverrideConfiguration.builder()
          .apiCallAttemptTimeout(TRY_TIMEOUT)
          .addExecutionInterceptor(DEADLINE)
          .retryStrategy(new Retries(DEADLINE, random))
          .build();
  private @Nullable DynamoDbClient dynamoDb;

  /**
   * @param environment the variables that the template gives the function
   */
  public Wiring(Map<String, String> environment) {
    this(environment, overTheNetwork());
  }

  private Wiring(Map<String, String> environment, AwsCrtHttpClient.Builder http) {
    // Credentials of its own: the SDK's default provider is one for all clients of the process.
    this(environment, new IoFailures(http.build()), DefaultCredentialsProvider.builder().build());
  }

  private Wiring(
      Map<String, String> environment, SdkHttpClient http, AwsCredentialsProvider credentials) {
    this.environment = Map.copyOf(environment);
    this.http = http;
    this.credentials = credentials;
  }

  private static AwsCrtHttpClient.Builder overTheNetwork() {
    return AwsCrtHttpClient.builder().connectionTimeout(CONNECTION_TIMEOUT);
  }

  /** The same, but nothing leaves the process: AWS has whatever that user needs. */
  static Wiring canned(Map<String, String> environment, UserWithHash user) {
    return new Wiring(
        environment,
        new CannedAws(user),
        StaticCredentialsProvider.create(AwsBasicCredentials.create("canned", "canned")));
  }

  /** The same, but what it learns of hosts and connections ends when it is closed. */
  static Wiring passing(Map<String, String> environment) {
    // Else it would take the process's resolver, in which the addresses would stay.
    HostResolver.closeStaticDefault();
    return new Wiring(environment, overTheNetwork().numEventLoopThreads(LEAST_THREADS));
  }

  @Override
  public void close() {
    clients.forEach(SdkAutoCloseable::close);
    http.close();
    HostResolver.closeStaticDefault();
  }

  private <
          B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C extends SdkAutoCloseable>
      C client(B builder) {
    builder.httpClient(http).credentialsProvider(credentials).overrideConfiguration(settings);
    // Not the SDK's own AWS_ENDPOINT_URL, which it does not take while it is empty.
    String endpoint = environment.getOrDefault("ENDPOINT_URL", "");
    C client =
        (endpoint.isBlank() ? builder : builder.endpointOverride(URI.create(endpoint))).build();
    clients.add(client);
    return client;
  }

  public Clock clock() {
    return clock;
  }

  public RandomGenerator random() {
    return random;
  }

  public Users users() {
    return new DynamoUsers(dynamoDb(), required("USERS_TABLE"));
  }

  public LoginAttempts loginAttempts() {
    return new DynamoLoginAttempts(dynamoDb(), required("LOGIN_ATTEMPTS_TABLE"), clock);
  }

  public Events events() {
    Optional<Duration> retention =
        Optional.of(Duration.ofDays(number("EVENT_RETENTION_DAYS"))).filter(Duration::isPositive);
    return new DynamoEvents(dynamoDb(), required("EVENTS_TABLE"), random, retention);
  }

  public Tokens tokens() {
    SecretSigningKeys keys = new SecretSigningKeys(secretsManager(), signingKeySecretId());
    return new Tokens(required("TOKEN_ISSUER"), new KeyRing(keys, clock), clock);
  }

  public SigningKeyVersions signingKeyVersions() {
    return new SecretVersions(secretsManager(), signingKeySecretId());
  }

  public String signingKeySecretId() {
    return required("SIGNING_KEY_SECRET_ARN");
  }

  /** Made once, when it is first asked for: not every function has a table. */
  private DynamoDbClient dynamoDb() {
    if (dynamoDb == null) {
      dynamoDb = client(DynamoDbClient.builder());
    }
    return dynamoDb;
  }

  private SecretsManagerClient secretsManager() {
    return client(SecretsManagerClient.builder());
  }

  public Duration tokenLifetime() {
    return Duration.ofSeconds(number("TOKEN_LIFETIME_SECONDS"));
  }

  public Duration sessionLifetime() {
    return Duration.ofDays(number("SESSION_LIFETIME_DAYS"));
  }

  /**
   * Of a static token: so long that no scheduled rotation cuts it off. The key that signs it may be
   * replaced at once, and the rotation after that one be early by a day; a day is to spare.
   */
  public int staticTokenMaxDays() {
    return number("KEY_ROTATION_DAYS") - 2;
  }

  public int bcryptCost() {
    return number("BCRYPT_COST");
  }

  private String required(String variable) {
    String value = environment.get(variable);
    if (value == null || value.isBlank()) {
      throw new IllegalStateException("the environment variable " + variable + " is not set");
    }
    return value;
  }

  private int number(String variable) {
    try {
      return Integer.parseInt(required(variable));
    } catch (NumberFormatException e) {
      throw new IllegalStateException(
          "the environment variable " + variable + " is no whole number", e);
    }
  }
}
