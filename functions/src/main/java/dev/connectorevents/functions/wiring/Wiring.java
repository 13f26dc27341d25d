package dev.connectorevents.functions.wiring;

import dev.connectorevents.SideBySide;
import dev.connectorevents.access.Guard;
import dev.connectorevents.dynamodb.erasure.DynamoErasableEvents;
import dev.connectorevents.dynamodb.erasure.DynamoErasureLedger;
import dev.connectorevents.dynamodb.erasure.DynamoRenumberedEvents;
import dev.connectorevents.dynamodb.erasure.DynamoRestoredEvents;
import dev.connectorevents.dynamodb.events.DynamoBrandList;
import dev.connectorevents.dynamodb.events.DynamoEventLookup;
import dev.connectorevents.dynamodb.events.DynamoEvents;
import dev.connectorevents.dynamodb.events.DynamoMarkedEvents;
import dev.connectorevents.dynamodb.events.DynamoStoredEntries;
import dev.connectorevents.dynamodb.feed.DynamoFeed;
import dev.connectorevents.dynamodb.users.DynamoLoginAttempts;
import dev.connectorevents.dynamodb.users.DynamoUserLookup;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.erasure.ErasableEvents;
import dev.connectorevents.erasure.ErasureLedger;
import dev.connectorevents.erasure.RenumberedEvents;
import dev.connectorevents.erasure.RestoredEvents;
import dev.connectorevents.event.BrandList;
import dev.connectorevents.event.EventLookup;
import dev.connectorevents.event.EventPresence;
import dev.connectorevents.event.Events;
import dev.connectorevents.event.RetentionRules;
import dev.connectorevents.feed.EventFeed;
import dev.connectorevents.feed.FeedAppends;
import dev.connectorevents.feed.FeedBeats;
import dev.connectorevents.feed.FeedPages;
import dev.connectorevents.feed.WholeFeed;
import dev.connectorevents.functions.resilience.RequestDeadline;
import dev.connectorevents.secretsmanager.SecretRotation;
import dev.connectorevents.secretsmanager.SecretSigningKeys;
import dev.connectorevents.token.KeyRing;
import dev.connectorevents.token.SigningKeyRotation;
import dev.connectorevents.token.Tokens;
import dev.connectorevents.user.LoginAttempts;
import dev.connectorevents.user.RememberedUsers;
import dev.connectorevents.user.UserLookup;
import dev.connectorevents.user.Users;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a function's parts from its environment variables, once per cold start.
 *
 * <p>A method that needs a variable throws {@link IllegalStateException} if the variable is not
 * set, or is not a whole number where it should be; the message names it. Every call makes a new
 * part; all share one client of DynamoDB and one cache of the signing key.
 */
public final class Wiring {

  /** How long a revocation may lag where users are cached. */
  public static final Duration USER_AGE = Duration.ofSeconds(5);

  /** The most calls of one request at the same time: each needs a connection. */
  private static final int MOST_CALLS = 50;

  private static final String EVENTS_TABLE = "EVENTS_TABLE";

  private final Map<String, String> environment;
  private final AwsClients aws;
  private final Clock clock;
  private final Consumer<Duration> waiting;
  private final RandomGenerator random = new SecureRandom();
  private @Nullable KeyRing keys;

  /**
   * @param environment the variables that the template gives the function
   */
  public Wiring(Map<String, String> environment) {
    this(environment, AwsClients.overTheNetwork(environment));
  }

  /**
   * @param environment the variables that the template gives the function
   * @param aws the clients for the parts; the caller closes them
   */
  public Wiring(Map<String, String> environment, AwsClients aws) {
    this(environment, aws, Clock.systemUTC(), Sleep::of);
  }

  /**
   * @param waiting waits for the given time of the clock
   */
  public Wiring(
      Map<String, String> environment, AwsClients aws, Clock clock, Consumer<Duration> waiting) {
    this.environment = Map.copyOf(environment);
    this.aws = aws;
    this.clock = clock;
    this.waiting = waiting;
  }

  public Clock clock() {
    return clock;
  }

  /** Waits for the given time. */
  public Consumer<Duration> waiting() {
    return waiting;
  }

  public RandomGenerator random() {
    return random;
  }

  /**
   * The shard of a stream's event that names none, {@code ONLY_SHARD}. Emulators have streams of
   * one shard, and do not name it. Empty on AWS: shards that share a name would lose events.
   */
  public String onlyShard() {
    return environment.getOrDefault("ONLY_SHARD", "");
  }

  /** Finds the users in the table {@code USERS_TABLE}. */
  public UserLookup userLookup() {
    return new DynamoUserLookup(aws.dynamoDb(), required("USERS_TABLE"));
  }

  /**
   * The users in the same table, with their hashes in the table {@code PASSWORD_HASHES_TABLE}. Only
   * login and the operators' function have this variable, and rights on that table.
   */
  public Users users() {
    return new DynamoUsers(
        aws.dynamoDb(), required("USERS_TABLE"), required("PASSWORD_HASHES_TABLE"));
  }

  /**
   * Lets only requests with a live token pass. It reads the user of each request.
   *
   * @param tokens checks the tokens
   */
  public Guard guard(Tokens tokens) {
    return new Guard(tokens, userLookup());
  }

  /**
   * Lets only requests with a live token pass. It caches a user for {@link #USER_AGE}, so that a
   * burst of requests costs one read.
   */
  public Guard guardOfCachedUsers() {
    return new Guard(tokens(), new RememberedUsers(userLookup(), USER_AGE, clock));
  }

  /** The failed logins in the table {@code LOGIN_ATTEMPTS_TABLE}. */
  public LoginAttempts loginAttempts() {
    return new DynamoLoginAttempts(aws.dynamoDb(), required("LOGIN_ATTEMPTS_TABLE"), clock);
  }

  /** The events in the table {@code EVENTS_TABLE}, kept as {@link #retention} says. */
  public Events events() {
    return new DynamoEvents(aws.dynamoDb(), required(EVENTS_TABLE), random, retention());
  }

  /**
   * How long events are kept: by {@code EVENT_RETENTION_RULES}, which may be empty, or else for
   * {@code EVENT_RETENTION_DAYS}; 0 means for ever.
   */
  private RetentionRules retention() {
    Duration otherwise = Duration.ofDays(number("EVENT_RETENTION_DAYS"));
    try {
      return RetentionRules.parse(given("EVENT_RETENTION_RULES"), otherwise);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "the environment variable EVENT_RETENTION_RULES: " + e.getMessage(), e);
    }
  }

  /** The events in the table {@code EVENTS_TABLE}, by id. */
  public EventLookup eventLookup() {
    return dynamoEventLookup();
  }

  /** Which events are in the table {@code EVENTS_TABLE}. */
  public EventPresence eventPresence() {
    return dynamoEventLookup();
  }

  private DynamoEventLookup dynamoEventLookup() {
    return new DynamoEventLookup(aws.dynamoDb(), required(EVENTS_TABLE), clock, waiting);
  }

  /** The lists of each brand's events in the table {@code EVENTS_TABLE}. */
  public BrandList brandList() {
    return new DynamoBrandList(
        aws.dynamoDb(), required(EVENTS_TABLE), clock, sideBySide(), waiting);
  }

  /**
   * The feed in the table {@code FEED_TABLE}, with the events in the table {@code EVENTS_TABLE}.
   */
  public EventFeed eventFeed() {
    return new FeedPages(
        dynamoFeed(),
        new DynamoStoredEntries(aws.dynamoDb(), required(EVENTS_TABLE), clock, waiting),
        clock);
  }

  /** The end of the feed in the table {@code FEED_TABLE}. */
  public FeedAppends feedAppends() {
    return dynamoFeed();
  }

  /** The feed in the table {@code FEED_TABLE}, with what it holds. */
  public WholeFeed wholeFeed() {
    return dynamoFeed();
  }

  /** Beats beside the events in the table {@code EVENTS_TABLE}. */
  public FeedBeats feedBeats() {
    return new FeedBeats(
        new DynamoMarkedEvents(aws.dynamoDb(), required(EVENTS_TABLE), sideBySide(), waiting),
        dynamoFeed(),
        clock);
  }

  private DynamoFeed dynamoFeed() {
    return new DynamoFeed(aws.dynamoDb(), required("FEED_TABLE"), sideBySide());
  }

  /** The events in the table {@code EVENTS_TABLE}, for erasing them. */
  public ErasableEvents erasableEvents() {
    return new DynamoErasableEvents(
        aws.dynamoDb(), required(EVENTS_TABLE), dynamoFeed(), clock, waiting);
  }

  /** The events of a table that was restored from a backup of {@code EVENTS_TABLE}. */
  public RestoredEvents restoredEvents() {
    return new DynamoRestoredEvents(
        aws.dynamoDb(), required(EVENTS_TABLE), clock, sideBySide(), waiting);
  }

  /** The events in the table {@code EVENTS_TABLE}, for giving them new positions. */
  public RenumberedEvents renumberedEvents() {
    return new DynamoRenumberedEvents(aws.dynamoDb(), required(EVENTS_TABLE), clock, sideBySide());
  }

  /** The proofs of erasures in the table {@code ERASURES_TABLE}. */
  public ErasureLedger erasureLedger() {
    return new DynamoErasureLedger(aws.dynamoDb(), required("ERASURES_TABLE"));
  }

  /** How long a backup of the events is kept: {@code BACKUP_DAYS}. */
  public Duration backups() {
    return Duration.ofDays(number("BACKUP_DAYS"));
  }

  /** Runs the calls of one request side by side, each within the request's deadline. */
  public SideBySide sideBySide() {
    return new SideBySide(RequestDeadline.executor(Thread::startVirtualThread), MOST_CALLS);
  }

  /** Tokens of {@code TOKEN_ISSUER}. */
  public Tokens tokens() {
    return new Tokens(required("TOKEN_ISSUER"), keys(), clock);
  }

  /** The one key cache, made on first use: not every function has the key. */
  private KeyRing keys() {
    if (keys == null) {
      keys = new KeyRing(new SecretSigningKeys(aws.secretsManager(), signingKeySecretId()), clock);
    }
    return keys;
  }

  /**
   * Starts to read the signing key, and returns at once. A request that needs the key waits for
   * this read; if the read fails, so does the request.
   *
   * <p>It uses a thread of the operating system: to fetch credentials, a virtual one would load
   * classes that no snapshot has. So would a builder of threads.
   */
  public void readAhead() {
    Thread thread = new Thread(keys()::readAhead);
    thread.setDaemon(true);
    thread.start();
  }

  /** The rotation of the key in {@link #signingKeySecretId}. */
  public SigningKeyRotation signingKeyRotation() {
    return new SecretRotation(aws.secretsManager(), signingKeySecretId());
  }

  /** The ARN of the secret that holds the signing key. */
  public String signingKeySecretId() {
    return required("SIGNING_KEY_SECRET_ARN");
  }

  /** The lifetime of a token that a login or a refresh issues. */
  public Duration tokenLifetime() {
    return Duration.ofSeconds(number("TOKEN_LIFETIME_SECONDS"));
  }

  /** How long after the login a token can be refreshed. */
  public Duration sessionLifetime() {
    return Duration.ofDays(number("SESSION_LIFETIME_DAYS"));
  }

  /**
   * The longest lifetime of a static token, in days. Its key verifies until the second rotation
   * after the token was issued. The first may come at once, and the second a day early; a day is to
   * spare.
   */
  public int staticTokenMaxDays() {
    return number("KEY_ROTATION_DAYS") - 2;
  }

  /** The cost of bcrypt: a password takes 2^cost rounds. */
  public int bcryptCost() {
    return number("BCRYPT_COST");
  }

  private String required(String variable) {
    String value = given(variable);
    if (value.isBlank()) {
      throw notSet(variable);
    }
    return value;
  }

  /** As {@link #required}, but the value may be empty. */
  private String given(String variable) {
    String value = environment.get(variable);
    if (value == null) {
      throw notSet(variable);
    }
    return value;
  }

  private static IllegalStateException notSet(String variable) {
    return new IllegalStateException("the environment variable " + variable + " is not set");
  }

  private int number(String variable) {
    try {
      return Integer.parseInt(required(variable));
    } catch (NumberFormatException e) {
      throw new IllegalStateException(
          "the environment variable " + variable + " is not a whole number", e);
    }
  }
}
