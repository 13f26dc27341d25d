package dev.connectorevents.acceptance.awscalls;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.connectorevents.emulator.SdkSettings;
import dev.connectorevents.emulator.http.LoopbackServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A proxy for DynamoDB and Secrets Manager. A test chooses which calls fail, and how. */
public final class FaultyAws implements AutoCloseable {

  /**
   * Finds the table in a request to DynamoDB, or the version stage in a request to Secrets Manager.
   */
  private static final Pattern SUBJECT =
      Pattern.compile(
          "(?:\"TableName\":|\"RequestItems\":\\{|\"VersionStage\":|INSERT INTO \\\\)\"(\\w+)");

  private final LoopbackServer server;
  private final Forwarder dynamoDb;
  private final Forwarder secretsManager;
  private final Function<String, AwsFault> faults;
  private final ReadWriteLock underWay = new ReentrantReadWriteLock();
  private volatile boolean isClosed;

  /**
   * @param faults returns the fault for the call with this name, such as {@code PutItem
   *     EventsTable}
   */
  public FaultyAws(SdkSettings sound, Function<String, AwsFault> faults) throws IOException {
    this.dynamoDb = new Forwarder(sound.dynamoDb());
    this.secretsManager = new Forwarder(sound.secretsManager());
    this.faults = faults;
    this.server = LoopbackServer.bind(0);
    server.serve(Map.of("/", this::handle));
  }

  /** A function's environment variables, changed so that the function calls this proxy. */
  public Map<String, String> environment(Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("ENDPOINT_URL", server.endpoint().toString());
    return environment;
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    Forwarder service = target.startsWith("DynamoDB") ? dynamoDb : secretsManager;
    faults.apply(name(target, body)).answer(exchange, () -> forward(service, exchange, body));
  }

  private HttpResponse<byte[]> forward(Forwarder service, HttpExchange exchange, byte[] body)
      throws IOException {
    underWay.readLock().lock();
    try {
      if (isClosed) {
        throw new IOException("the process is gone");
      }
      return service.forward(exchange, body);
    } finally {
      underWay.readLock().unlock();
    }
  }

  private static String name(String target, byte[] body) {
    String operation = target.substring(target.indexOf('.') + 1);
    Matcher subject = SUBJECT.matcher(new String(body, UTF_8));
    return subject.find() ? operation + " " + subject.group(1) : operation;
  }

  /** Forwards no more calls. Returns when the last forwarded call has its answer. */
  @Override
  public void close() {
    underWay.writeLock().lock();
    try {
      isClosed = true;
    } finally {
      underWay.writeLock().unlock();
    }
    server.close();
    dynamoDb.close();
    secretsManager.close();
  }
}
