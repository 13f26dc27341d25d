package dev.connectorevents.acceptance.runbooks;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import dev.connectorevents.acceptance.service.Product;
import dev.connectorevents.acceptance.service.World;
import dev.connectorevents.emulator.CommandOnPath;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.Fixtures;
import dev.connectorevents.emulator.Stores;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.function.LocalFunctions;
import dev.connectorevents.emulator.gateway.ApiGateway;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.Throttling;
import dev.connectorevents.functions.wiring.Sleep;
import dev.connectorevents.local.CheapHashes;
import dev.connectorevents.local.FakeAws;
import dev.connectorevents.local.ServedLocally;
import dev.connectorevents.local.contract.Traffic;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The functions of a template behind an emulated API Gateway, for {@code operate/check}. The
 * functions' clock jumps forward after each list, and after each answer that asks the caller of an
 * erasure to wait. So {@code operate/check} does not wait long.
 */
final class CheckedService implements AutoCloseable {

  /** How far the clock jumps. An event takes less time to reach the indexes. */
  private static final Duration JUMP = Duration.ofSeconds(30);

  private static final Path AWS = Path.of("src/test/resources/aws-for-check");
  private static final String CHECK_USER = "check-[0-9a-f]{12}-(consumer|connector)@check.invalid";

  private final Stores stores;
  private final Queue<Product.Instance> instances = new ConcurrentLinkedQueue<>();
  private final Map<String, Runnable> planned = new ConcurrentHashMap<>();
  private final LoopbackServer http;
  private final FakeAws aws;
  private Duration ahead = Duration.ZERO;

  /**
   * Starts the service with a changed template. Skips the test on machines that cannot run {@code
   * operate/check}.
   *
   * @param folder for the fake AWS CLI that the command finds, and for the CLI's files
   * @param texts pairs: a text of the template, and the text that replaces it
   */
  static CheckedService start(Path folder, String... texts)
      throws IOException, InterruptedException {
    CommandOnPath.assumeWorks("python3", "--version");
    CommandOnPath.assumeWorks("curl", "--version");
    Path file = CheapHashes.allowedIn(World.TEMPLATE);
    String changed = Files.readString(file);
    for (int i = 0; i < texts.length; i += 2) {
      assertThat(changed).contains(texts[i]);
      changed = changed.replace(texts[i], texts[i + 1]);
    }
    Files.writeString(file, changed);
    EmulatorOptions options =
        new EmulatorOptions(file, 0, Optional.empty(), CheapHashes.PARAMETERS);
    FakeAws aws = FakeAws.in(folder, Files.readString(AWS));
    return new CheckedService(
        Template.read(file, CheapHashes.PARAMETERS, ""), Stores.start(options), aws);
  }

  private CheckedService(Template template, Stores stores, FakeAws aws) throws IOException {
    this.stores = stores;
    this.aws = aws;
    Path log = aws.folder().resolve("log");
    Clock clock =
        ((InstantSource) () -> Clock.systemUTC().instant().plus(ahead())).withZone(ZoneOffset.UTC);
    LocalFunctions functions =
        new LocalFunctions(
            template.functions().stream()
                .map(function ->
                    LocalFunction.start(
                        function,
                        environment ->
                            new Planned(
                                function.id(), start(function.handler(), environment, clock)),
                        stores.settings().environment(),
                        line -> append(log, line)))
                .toList());
    http = LoopbackServer.bind(0);
    http.serve(
        Map.of(
            "/",
            new ApiGateway(functions.all(), Throttling.NONE, Clock.systemUTC(), Traffic.RECORDED),
            InvokeEndpoint.PATH,
            new InvokeEndpoint(functions)));
  }

  private Product.Instance start(String handler, Map<String, String> environment, Clock clock) {
    Product.Instance instance =
        Product.SOUND.start(handler, environment, clock, Sleep::of, System::nanoTime);
    instances.add(instance);
    return instance;
  }

  private synchronized Duration ahead() {
    return ahead;
  }

  /** Sets how far the functions' clock is ahead of the API's. */
  synchronized void setAhead(Duration ahead) {
    this.ahead = ahead;
  }

  private synchronized void jump() {
    ahead = ahead.plus(JUMP);
  }

  /**
   * Runs the action before the next call of a function. The call waits until the action has ended.
   */
  void before(String function, Runnable action) {
    planned.put(function, action);
  }

  /** The settings with which {@code operate/check} finds this service as a stack on AWS. */
  CheckRun.Start check() {
    Map<String, String> environment =
        Map.of(
            "URL", http.endpoint().toString(),
            "DYNAMODB", stores.settings().dynamoDb().toString(),
            "SECRETS", stores.settings().secretsManager().toString());
    return new CheckRun.Start(aws, environment, 0);
  }

  /**
   * The options with which {@code operate/check} finds this service, as if {@code local/serve} had
   * started it.
   */
  String[] port() {
    return new String[] {"--port", "" + http.endpoint().getPort()};
  }

  /**
   * Asserts that {@code operate/check} has left nothing: it has created and disabled every user,
   * and it has erased every event.
   */
  void assertThatNothingIsLeft() {
    assertThat(manageUsers("{\"action\":\"list\"}").get("users"))
        .isNotEmpty()
        .allSatisfy(user -> {
          assertThat(user.get("email").textValue()).matches(CHECK_USER);
          assertThat(user.get("state").textValue()).isEqualTo("disabled");
        });
    String table = stores.name("EventsTable");
    assertThat(stores.dynamoDb().scanPaginator(scan -> scan.tableName(table)).items())
        .allMatch(item -> item.containsKey("erased_at"));
  }

  private static synchronized void append(Path log, String line) {
    try {
      Files.writeString(
          log, line.strip() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Stores stores() {
    return stores;
  }

  JsonNode manageUsers(String event) {
    String path = "/2015-03-31/functions/ManageUsersFunction/invocations";
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(http.endpoint() + path))
            .POST(BodyPublishers.ofString(event));
    return ServedLocally.read(Fixtures.send(request).body());
  }

  @Override
  public void close() {
    http.close();
    instances.forEach(Product.Instance::close);
    stores.close();
  }

  /**
   * Runs the action in another thread. In this thread, the action would have only the function's
   * rights.
   */
  private static void runWithoutRole(Runnable action) throws IOException {
    FutureTask<Void> task = new FutureTask<>(action, null);
    Thread.ofPlatform().inheritInheritableThreadLocals(false).start(task);
    try {
      task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException(e);
    }
  }

  /**
   * A function that runs the planned action before its next call. Its clock jumps forward after a
   * list, and after an answer that asks the caller of an erasure to wait.
   */
  private final class Planned implements RequestStreamHandler {

    private final String id;
    private final RequestStreamHandler function;

    Planned(String id, RequestStreamHandler function) {
      this.id = id;
      this.function = function;
    }

    @Override
    public void handleRequest(InputStream input, OutputStream output, Context context)
        throws IOException {
      Runnable action = planned.remove(id);
      if (action != null) {
        runWithoutRole(action);
      }
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      function.handleRequest(input, answer, context);
      boolean isWaiting = answer.toString(StandardCharsets.UTF_8).contains("\"wait_seconds\":2");
      if (isWaiting || id.equals("ListEventsFunction")) {
        jump();
      }
      answer.writeTo(output);
    }
  }
}
