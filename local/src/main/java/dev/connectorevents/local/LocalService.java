package dev.connectorevents.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.connectorevents.local.data.DataDirectory;
import dev.connectorevents.local.data.PathTrouble;
import dev.connectorevents.local.dynamodb.DynamoDbLocal;
import dev.connectorevents.local.dynamodb.Tables;
import dev.connectorevents.local.gateway.ApiGateway;
import dev.connectorevents.local.http.LoopbackServer;
import dev.connectorevents.local.lambda.FunctionError;
import dev.connectorevents.local.lambda.Invocation;
import dev.connectorevents.local.lambda.InvokeEndpoint;
import dev.connectorevents.local.lambda.LocalFunction;
import dev.connectorevents.local.lambda.LocalFunctions;
import dev.connectorevents.local.secretsmanager.SecretsElsewhere;
import dev.connectorevents.local.secretsmanager.SecretsManagerStandIn;
import dev.connectorevents.local.template.Template;
import dev.connectorevents.local.template.Throttling;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The whole service, running: the template's functions, routes, tables and secrets. */
public final class LocalService implements AutoCloseable {
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final String prefix;
  private final Template template;
  private final LoopbackServer http;
  private final ApiGateway gateway;
  private final InvokeEndpoint invokes;
  private final URI baseUrl;
  private final URI dynamoDbEndpoint;
  private final URI secretsManagerEndpoint;
  private final DynamoDbClient dynamoDb;

  /** As {@link #prepare}, in silence, and opens it. */
  public static LocalService start(LocalOptions options) throws IOException {
    LocalService service = prepare(options, step -> {});
    service.open();
    return service;
  }

  /**
   * Starts everything, or nothing: what fails takes down what had started. Its API answers only
   * when it is opened; clients that connect before wait for that.
   *
   * @param steps is told what is being done
   * @throws IOException when a port is taken, a file cannot be read, the data directory is in use
   *     or nothing useful answers at the endpoint
   * @throws dev.connectorevents.local.template.TemplateMistake for a mistake in the template
   * @throws dev.connectorevents.local.lambda.FunctionFault when a function does not start
   */
  static LocalService prepare(LocalOptions options, Consumer<String> steps) throws IOException {
    return new LocalService(options, steps);
  }

  private LocalService(LocalOptions options, Consumer<String> steps) throws IOException {
    try {
      steps.accept("reading " + options.template());
      prefix = options.prefix();
      template = template(options);
      http = started(LoopbackServer.bind(options.port()));
      baseUrl = http.endpoint();
      var data = data(options);
      var elsewhere = options.elsewhere();
      dynamoDbEndpoint =
          elsewhere.isPresent()
              ? elsewhere.get().endpoint()
              : startDynamoDb(options.dynamoDbPort(), data, steps);
      dynamoDb = started(SdkSettings.dynamoDb(dynamoDbEndpoint));
      if (elsewhere.isPresent()) {
        createSecrets(elsewhere.get());
      }
      createTables(elsewhere, steps);
      var standIn =
          elsewhere.isPresent()
              ? Optional.<SecretsManagerStandIn>empty()
              : Optional.of(started(secretsManager(options, data)));
      secretsManagerEndpoint = standIn.map(each -> each.endpoint()).orElse(dynamoDbEndpoint);
      steps.accept("starting " + template.functions().size() + " functions");
      var functions = new LocalFunctions(startFunctions());
      gateway =
          new ApiGateway(
              functions.all(),
              options.isThrottled() ? template.throttling() : Throttling.NONE,
              Clock.systemUTC());
      invokes = new InvokeEndpoint(functions);
      standIn.ifPresent(each ->
          each.rotate(
              template.rotations(), (function, event) -> invoke(functions, function, event)));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private static Template template(LocalOptions options) throws IOException {
    try {
      return Template.read(options.template(), options.parameters(), options.prefix());
    } catch (IOException e) {
      throw new IOException(
          "the template " + options.template() + " cannot be read: " + PathTrouble.of(e), e);
    }
  }

  /** Lets the API answer. */
  void open() {
    http.serve(Map.of("/", gateway, InvokeEndpoint.PATH, invokes));
  }

  private Optional<Path> data(LocalOptions options) throws IOException {
    return options.data().isEmpty()
        ? Optional.empty()
        : Optional.of(started(DataDirectory.open(options.data().get())).path());
  }

  private URI startDynamoDb(int port, Optional<Path> data, Consumer<String> steps)
      throws IOException {
    steps.accept("starting DynamoDB Local, " + data.map(Path::toString).orElse("in memory"));
    return started(DynamoDbLocal.start(port, data)).endpoint();
  }

  private void createTables(Optional<LocalOptions.Elsewhere> elsewhere, Consumer<String> steps) {
    var tables = new Tables(dynamoDb);
    if (elsewhere.filter(LocalOptions.Elsewhere::isTemporary).isPresent()) {
      started(() -> tables.delete(template.tables()));
    }
    tables.create(template.tables(), steps);
  }

  private void createSecrets(LocalOptions.Elsewhere elsewhere) throws IOException {
    new EndpointProbe(elsewhere.endpoint()).requireBoth();
    var secrets = new SecretsElsewhere(started(SdkSettings.secretsManager(elsewhere.endpoint())));
    if (elsewhere.isTemporary()) {
      started(() -> secrets.delete(template.secrets()));
    }
    secrets.create(template.secrets());
  }

  private SecretsManagerStandIn secretsManager(LocalOptions options, Optional<Path> data)
      throws IOException {
    var file = data.map(directory -> directory.resolve("secrets.json"));
    return SecretsManagerStandIn.start(options.secretsManagerPort(), file, template.secrets());
  }

  private List<LocalFunction> startFunctions() {
    var settings = new SdkSettings(dynamoDbEndpoint, secretsManagerEndpoint);
    settings.apply();
    var environment = settings.environment();
    return template.functions().stream()
        .map(function -> LocalFunction.start(function, environment))
        .toList();
  }

  private static Optional<String> invoke(LocalFunctions functions, String arn, String event) {
    return functions
        .find(arn)
        .map(function -> function.invoke(event.getBytes(UTF_8), UUID.randomUUID().toString()))
        .map(invocation ->
            switch (invocation) {
              case Invocation.Answered answered -> Optional.<String>empty();
              case Invocation.Throttled throttled -> Optional.of("too many calls at once");
              case Invocation.Failed failed -> Optional.of(message(failed.error()));
            })
        .orElseGet(() -> Optional.of("there is no function " + arn));
  }

  private static String message(FunctionError error) {
    return error.errorType() + ": " + error.errorMessage();
  }

  private <T extends AutoCloseable> T started(T part) {
    running.push(part);
    return part;
  }

  public Template template() {
    return template;
  }

  /** What a table or a secret of the template is called where it is. */
  public String name(String logicalId) {
    return prefix + logicalId;
  }

  /** Where the API is served, and Lambda's Invoke; without a slash at the end. */
  public URI baseUrl() {
    return baseUrl;
  }

  public URI dynamoDbEndpoint() {
    return dynamoDbEndpoint;
  }

  public URI secretsManagerEndpoint() {
    return secretsManagerEndpoint;
  }

  /** A client of the service's own DynamoDB; closed with the service. */
  public DynamoDbClient dynamoDb() {
    return dynamoDb;
  }

  @Override
  public void close() {
    while (!running.isEmpty()) {
      try {
        running.pop().close();
      } catch (Exception e) {
        System.err.println("does not stop: " + e);
      }
    }
  }
}
