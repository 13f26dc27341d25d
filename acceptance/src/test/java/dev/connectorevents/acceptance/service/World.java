package dev.connectorevents.acceptance.service;

import static java.util.Objects.requireNonNull;

import dev.connectorevents.dynamodb.events.ReadBack;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.FunctionLog;
import dev.connectorevents.emulator.function.Invocation;
import dev.connectorevents.emulator.stream.EventSource;
import dev.connectorevents.emulator.stream.TableStream;
import dev.connectorevents.emulator.template.EventSourceMapping;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.local.CheapHashes;
import dev.connectorevents.user.Email;
import dev.connectorevents.user.PasswordHash;
import dev.connectorevents.user.Role;
import dev.connectorevents.user.User;
import dev.connectorevents.user.UserState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The service in a test: the real functions behind the emulator's API, DynamoDB Local and a
 * stand-in for Secrets Manager, with one user, a client and an operator. A test lets time pass,
 * makes calls to AWS fail, and kills the service.
 */
public final class World implements AutoCloseable {

  public static final Path TEMPLATE = Path.of("../template.yaml");

  public static final String EMAIL = "connector@example.com";
  public static final String PASSWORD = "correct horse battery staple";

  /** The operations that write items. */
  private static final Pattern WRITE = Pattern.compile("\\.(Put|Update|Delete|TransactWrite)Item");

  private final Setup setup;
  private final Stores stores;
  private final FunctionLog log;
  private volatile Function<Proxy.Call, AwsFault> faults = call -> AwsFault.NONE;
  private volatile ServiceProcess service;
  private final ApiClient client = new ApiClient(() -> service.endpoint());
  private final Operator operator;
  private final EventSource stream;
  private final Thread numbering = Thread.ofVirtual().unstarted(this::numberAgainAndAgain);
  private volatile boolean isClosed;
  private volatile long lastWrite = System.nanoTime();

  public static World start() {
    return start(new Setup());
  }

  public static World start(Setup setup) {
    try {
      return new World(setup);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private World(Setup setup) throws IOException {
    this.setup = setup;
    stores = Stores.start(setup.options());
    log = FunctionLog.open(setup.clock::now, Optional.empty());
    service = startService();
    operator = new Operator(client, name("SigningKeySecret"));
    stores.enableRotation(this::invoke);
    createUser(EMAIL, PASSWORD, Role.CONNECTOR);
    stream = stores.eventSource(mapping(), this::invoke);
  }

  /** The mapping that calls {@code NumberEventsFunction}. */
  public EventSourceMapping mapping() {
    return template().mappings().getFirst();
  }

  private Invocation invoke(String function, byte[] event) {
    return service.functions().invoke(function, event);
  }

  /**
   * Gives all that was stored so far its position in the feed.
   *
   * @return false if a call to AWS has failed: the next time, the same records are handed over
   */
  public synchronized boolean number() {
    return stream.poll();
  }

  /** Does so ten times a second while functions write, else once, for as long as the world runs. */
  public World numbering() {
    numbering.start();
    return this;
  }

  private void numberAgainAndAgain() {
    while (!isClosed) {
      number();
      long round = System.nanoTime();
      do {
        LockSupport.parkNanos(100_000_000);
      } while (!isClosed && isLongAgo(lastWrite, 500) && !isLongAgo(round, 1_000));
    }
  }

  private static boolean isLongAgo(long nanoTime, long millis) {
    return System.nanoTime() - nanoTime > millis * 1_000_000;
  }

  /** Finds out what the feed holds, as the schedule does, while the stream is numbered. */
  public void beat() {
    Thread beat = Thread.ofVirtual().start(() -> operator.invoke("BeatFeedFunction", "{}"));
    while (beat.isAlive()) {
      number();
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** The stream of the events table, from its beginning. */
  public TableStream stream() {
    return stores.stream(mapping().table());
  }

  private ServiceProcess startService() throws IOException {
    return new ServiceProcess(setup, stores, log, this::answer);
  }

  private void answer(Proxy.Call call) throws IOException {
    try {
      faults.apply(call).answer(call);
    } finally {
      if (call.header("X-Amz-Target").filter(WRITE.asPredicate()).isPresent()) {
        lastWrite = System.nanoTime();
      }
    }
  }

  /** Creates a user without a scope. Writes to the tables, where no call fails. */
  public void createUser(String email, String password, Role role) {
    Instant created = Instant.parse("2026-01-01T00:00:00Z");
    users()
        .create(
            new User(
                UUID.randomUUID(),
                new Email(email),
                null,
                UserState.ACTIVE,
                role,
                null,
                created,
                created),
            PasswordHash.of(password, CheapHashes.COST));
  }

  public WorldClock clock() {
    return setup.clock;
  }

  /** Asks this for the fault of each call to AWS from now on. */
  public void fail(Function<Proxy.Call, AwsFault> faultOf) {
    faults = faultOf;
  }

  /**
   * Kills the service, and starts it again. After this, no call that the killed service began can
   * reach AWS.
   */
  public void kill() {
    service.kill();
    try {
      service = startService();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public ApiClient client() {
    return client;
  }

  /** A client that connects from this address, which must be a loopback address. */
  public ApiClient clientAt(String address) {
    return new ApiClient(address, () -> service.endpoint());
  }

  public Operator operator() {
    return operator;
  }

  public Template template() {
    return stores.template();
  }

  /** The URL of the API and of Lambda's Invoke, without a trailing slash. */
  public URI baseUrl() {
    return service.endpoint();
  }

  /** Where the AWS SDK finds DynamoDB and Secrets Manager. Calls to these do not fail. */
  public SdkSettings settings() {
    return stores.settings();
  }

  /** Environment variables with which the AWS CLI and SDKs reach this world. */
  public SortedMap<String, String> environment() {
    return settings().environmentWith(baseUrl());
  }

  /** A client whose calls do not fail. The world closes it. */
  public DynamoDbClient dynamoDb() {
    return stores.dynamoDb();
  }

  /** The stored users. Calls to the store do not fail. */
  public DynamoUsers users() {
    return new DynamoUsers(dynamoDb(), name("UsersTable"), name("PasswordHashesTable"));
  }

  /** The actual name of the table or secret that has this logical id in the template. */
  public String name(String logicalId) {
    return stores.name(logicalId);
  }

  /** Stores an event as the connector of this world, and returns its id. */
  public String store() {
    return store("{}");
  }

  /** Stores an event with this payload as the connector of this world, and returns its id. */
  public String store(String payload) {
    String event = "{\"event_type\":\"a.b\",\"payload\":" + payload + "}";
    return client.post("/api/webhook-events", event, client.token()).body().get("id").textValue();
  }

  /** The payload of an event, read as {@code docs/reading-events.md} tells consumers to read it. */
  public byte[] payload(String id) {
    return ReadBack.read(dynamoDb(), name("EventsTable"), id);
  }

  /** The number of stored events. An event counts once, even if it needs several items. */
  public long countEvents() {
    return dynamoDb()
        .scanPaginator(scan ->
            scan.tableName(name("EventsTable"))
                .filterExpression("attribute_exists(event_type)")
                .projectionExpression("id"))
        .items()
        .stream()
        .count();
  }

  /** Takes the last position, and those with it, as if the stream had lost their records. */
  public void loseLastSegment() {
    String table = name("FeedTable");
    Map<String, AttributeValue> last =
        dynamoDb()
            .query(query ->
                query
                    .tableName(table)
                    .keyConditionExpression("feed = :feed")
                    .expressionAttributeValues(Map.of(":feed", AttributeValue.fromS("events")))
                    .scanIndexForward(false)
                    .limit(1))
            .items()
            .getFirst();
    Map<String, AttributeValue> key =
        Map.of("feed", AttributeValue.fromS("events"), "first", requireNonNull(last.get("first")));
    dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
  }

  /** Deletes what is known of the feed; or says that it holds all. */
  public void knowOfTheFeed(boolean isWhole) {
    String table = name("FeedTable");
    Map<String, AttributeValue> key =
        Map.of("feed", AttributeValue.fromS("whole"), "first", AttributeValue.fromN("0"));
    if (isWhole) {
      dynamoDb()
          .updateItem(
              update -> update.tableName(table).key(key).updateExpression("REMOVE since, lost"));
    } else {
      dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
    }
  }

  /** Deletes all of the feed, as if its table were lost. */
  public void loseFeed() {
    String table = name("FeedTable");
    for (Map<String, AttributeValue> item :
        dynamoDb().scanPaginator(scan -> scan.tableName(table)).items()) {
      Map<String, AttributeValue> key =
          Map.of("feed", item.get("feed"), "first", item.get("first"));
      dynamoDb().deleteItem(delete -> delete.tableName(table).key(key));
    }
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      numbering.join(); // returns at once if it never began
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    service.kill();
    client.close();
    log.close();
    stores.close();
  }
}
