package dev.connectorevents.emulator;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.emulator.function.FunctionFault;
import dev.connectorevents.emulator.function.FunctionInvoker;
import dev.connectorevents.emulator.function.FunctionLog;
import dev.connectorevents.emulator.function.FunctionSchedule;
import dev.connectorevents.emulator.function.InvokeEndpoint;
import dev.connectorevents.emulator.function.LocalFunction;
import dev.connectorevents.emulator.function.LocalFunctions;
import dev.connectorevents.emulator.gateway.ApiGateway;
import dev.connectorevents.emulator.http.LoopbackServer;
import dev.connectorevents.emulator.stream.LambdaEndpoint;
import dev.connectorevents.emulator.stream.StreamPoller;
import dev.connectorevents.emulator.template.Template;
import dev.connectorevents.emulator.template.TemplateMistake;
import dev.connectorevents.emulator.template.Throttling;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Runs the functions, routes, tables and secrets of a template in the service's vocabulary. */
public final class Emulator implements AutoCloseable {
  private final OpenResources parts = new OpenResources();
  private final Template template;
  private final LoopbackServer http;
  private final Stores stores;
  private final ApiGateway gateway;
  private final InvokeEndpoint invokes;
  private final FunctionLog log;
  private final List<StreamPoller> pollers;
  private final List<FunctionSchedule> schedules;

  /** Prepares without progress messages and opens the API. */
  public static Emulator start(EmulatorOptions options) throws IOException {
    Emulator emulator = prepare(options, step -> {});
    emulator.open();
    return emulator;
  }

  /**
   * Starts everything, or nothing: if one part fails, the others are closed. Clients can connect,
   * but get no answer before {@link #open}.
   *
   * @param steps receives progress messages
   * @throws IOException when a port is taken, a file cannot be read, the data directory is in use
   *     or the endpoint does not answer as expected
   * @throws TemplateMistake for a mistake in the template
   * @throws FunctionFault when a function does not start
   */
  public static Emulator prepare(EmulatorOptions options, Consumer<String> steps)
      throws IOException {
    return new Emulator(options, steps);
  }

  private Emulator(EmulatorOptions options, Consumer<String> steps) throws IOException {
    try {
      steps.accept("reading " + options.template());
      template = options.readTemplate();
      http = parts.add(LoopbackServer.bind(options.port()));
      stores = parts.add(new Stores(template, options, steps));
      steps.accept("starting " + template.functions().size() + " functions");
      log = parts.add(FunctionLog.open(Clock.systemUTC(), options.data()));
      LocalFunctions functions = startFunctions(log.andThen(options.log()));
      gateway =
          new ApiGateway(
              functions.all(),
              switch (options.limits()) {
                case ENFORCED -> template.throttling();
                case LIFTED -> Throttling.NONE;
              },
              Clock.systemUTC(),
              options.traffic());
      invokes = new InvokeEndpoint(functions);
      stores.enableRotation(functions);
      FunctionInvoker invoker =
          options
              .lambda()
              .<FunctionInvoker>map(it -> new LambdaEndpoint(it, System.err::println))
              .orElse(functions);
      pollers =
          template.mappings().stream()
              .map(mapping -> parts.add(new StreamPoller(stores.eventSource(mapping, invoker))))
              .toList();
      schedules =
          template.functions().stream()
              .flatMap(function ->
                  function.rate().stream()
                      .map(rate -> parts.add(new FunctionSchedule(function.id(), rate, functions))))
              .toList();
    } catch (IOException | RuntimeException | Error e) {
      parts.close();
      throw e;
    }
  }

  /** Opens the API. */
  public void open() {
    open(Map.of());
  }

  /**
   * Opens the API, and pages beside it on its port.
   *
   * @param pages by the prefix of their path
   */
  public void open(Map<String, HttpHandler> pages) {
    Map<String, HttpHandler> handlers = new HashMap<>(pages);
    handlers.put("/", waking(gateway));
    handlers.put(InvokeEndpoint.PATH, waking(invokes));
    handlers.put(FunctionLog.PATH, log);
    http.serve(handlers);
  }

  private HttpHandler waking(HttpHandler handler) {
    return exchange -> {
      try {
        handler.handle(exchange);
      } finally {
        if (!exchange.getRequestMethod().equals("GET")) { // which writes nothing
          pollers.forEach(StreamPoller::wake);
        }
        schedules.forEach(FunctionSchedule::wake);
      }
    };
  }

  private LocalFunctions startFunctions(Consumer<String> log) {
    Map<String, String> environment = settings().environment();
    return new LocalFunctions(
        template.functions().stream()
            .map(function -> LocalFunction.start(function, environment, log))
            .toList());
  }

  public Template template() {
    return template;
  }

  /** The real name of a table or a secret. */
  public String name(String logicalId) {
    return stores.name(logicalId);
  }

  /** The URL of the API and of Lambda's Invoke, without a trailing slash. */
  public URI baseUrl() {
    return http.endpoint();
  }

  /** Where the AWS SDK finds DynamoDB and Secrets Manager. */
  public SdkSettings settings() {
    return stores.settings();
  }

  /** Environment variables with which the AWS CLI and SDKs reach this emulator. */
  public SortedMap<String, String> environment() {
    return settings().environmentWith(baseUrl());
  }

  /** A client of DynamoDB. The emulator closes it. */
  public DynamoDbClient dynamoDb() {
    return stores.dynamoDb();
  }

  /** The API first: its requests need the stores. */
  @Override
  public void close() {
    http.close();
    parts.close();
  }
}
