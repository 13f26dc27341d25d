package dev.connectorevents.functions.wiring;

import dev.connectorevents.dynamodb.DynamoEvents;
import dev.connectorevents.dynamodb.DynamoLoginAttempts;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.event.Events;
import dev.connectorevents.secretsmanager.SecretRotation;
import dev.connectorevents.secretsmanager.SecretSigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKeyRotation;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.Users;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Makes a function's parts from its environment variables, once per cold start. */
public final class Wiring {

  private final Map<String, String> environment;
  private final AwsClients aws;
  private final Clock clock = Clock.systemUTC();
  private final RandomGenerator random = new SecureRandom();

  /**
   * @param environment the variables that the template gives the function
   */
  public Wiring(Map<String, String> environment) {
    this(environment, AwsClients.overTheNetwork(environment));
  }

  /**
   * @param environment the variables that the template gives the function
   * @param aws what the parts reach AWS by; the caller closes it
   */
  public Wiring(Map<String, String> environment, AwsClients aws) {
    this.environment = Map.copyOf(environment);
    this.aws = aws;
  }

  public Clock clock() {
    return clock;
  }

  public RandomGenerator random() {
    return random;
  }

  public Users users() {
    return new DynamoUsers(aws.dynamoDb(), required("USERS_TABLE"));
  }

  public LoginAttempts loginAttempts() {
    return new DynamoLoginAttempts(aws.dynamoDb(), required("LOGIN_ATTEMPTS_TABLE"), clock);
  }

  public Events events() {
    Optional<Duration> retention =
        Optional.of(Duration.ofDays(number("EVENT_RETENTION_DAYS"))).filter(Duration::isPositive);
    return new DynamoEvents(aws.dynamoDb(), required("EVENTS_TABLE"), random, retention);
  }

  public Tokens tokens() {
    SecretSigningKeys keys = new SecretSigningKeys(aws.secretsManager(), signingKeySecretId());
    return new Tokens(required("TOKEN_ISSUER"), new KeyRing(keys, clock), clock);
  }

  public SigningKeyRotation signingKeyRotation() {
    return new SecretRotation(aws.secretsManager(), signingKeySecretId());
  }

  public String signingKeySecretId() {
    return required("SIGNING_KEY_SECRET_ARN");
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
