package dev.connectorevents.functions;

import dev.connectorevents.aws.DynamoEvents;
import dev.connectorevents.aws.DynamoUsers;
import dev.connectorevents.aws.SecretSigningKeys;
import dev.connectorevents.event.Events;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.Users;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** Makes what a function needs out of its environment, once per cold start. */
public final class Wiring {

  /** Three tries of this length end before API Gateway and the function itself give up. */
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(1);

  private final Map<String, String> environment;
  private final Clock clock = Clock.systemUTC();
  private final SdkHttpClient http =
      UrlConnectionHttpClient.builder()
          .connectionTimeout(CONNECTION_TIMEOUT)
          .socketTimeout(SOCKET_TIMEOUT)
          .build();
  private final DynamoDbClient dynamoDb = DynamoDbClient.builder().httpClient(http).build();

  /**
   * @param environment the variables that the template gives the function
   */
  public Wiring(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  public Clock clock() {
    return clock;
  }

  public Users users() {
    return new DynamoUsers(dynamoDb, required("USERS_TABLE"));
  }

  public Events events() {
    return new DynamoEvents(dynamoDb, required("EVENTS_TABLE"));
  }

  public Tokens tokens() {
    SecretsManagerClient secretsManager = SecretsManagerClient.builder().httpClient(http).build();
    SecretSigningKeys keys =
        new SecretSigningKeys(secretsManager, required("SIGNING_KEY_SECRET_ARN"));
    return new Tokens(required("TOKEN_ISSUER"), new KeyRing(keys, clock), clock);
  }

  public Duration tokenLifetime() {
    return Duration.ofSeconds(number("TOKEN_LIFETIME_SECONDS"));
  }

  public Duration sessionLifetime() {
    return Duration.ofDays(number("SESSION_LIFETIME_DAYS"));
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
