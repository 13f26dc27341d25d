package dev.connectorevents.local;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.dynamodb.users.DynamoUsers;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import dev.connectorevents.local.inspector.Inspector;
import dev.connectorevents.local.inspector.LocalUser;
import dev.connectorevents.local.inspector.Terminal;
import java.io.Console;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command behind {@code local/serve}: runs the service until it is stopped. */
public final class Serve {
  /** Constant, so that functions under {@code sam local} find the tables and the secret. */
  static final String PREFIX = "connector-events-local-";

  private Serve() {}

  /** Exits with 2 when the command line is wrong, with 1 when the service does not start. */
  public static void main(String[] arguments) throws InterruptedException {
    CommandLine.Run run = CommandLine.runOrExit(arguments);
    try {
      Emulator service = start(options(run), System.getenv(), System.out, run.isLogJson());
      Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    } catch (IOException | RuntimeException e) {
      System.err.println("local/serve: " + e.getMessage());
      System.exit(1);
    }
    new CountDownLatch(1).await();
  }

  /**
   * Starts the service and greets the user. The API opens last: it would answer 401 to the right
   * password before the user exists.
   *
   * @param environment contains the first user's credentials
   * @param isLogJson whether to print the functions' log lines, or a readable line per request
   */
  static Emulator start(
      EmulatorOptions options,
      Map<String, String> environment,
      PrintStream output,
      boolean isLogJson)
      throws IOException {
    Optional<Path> openApi = openApi(options);
    Terminal terminal = new Terminal(output, ZoneId.systemDefault(), isColored(environment));
    Inspector inspector =
        new Inspector(openApi, isLogJson ? Optional.empty() : Optional.of(terminal));
    Emulator service =
        Emulator.prepare(
            options
                .observed(options.traffic().andThen(inspector))
                .logged(isLogJson ? output::println : terminal::log),
            step -> output.println("  " + step));
    try {
      FirstUser.Credentials credentials = firstUser(service, options).ensure(environment);
      Map<String, HttpHandler> pages = new HashMap<>();
      pages.put(
          Inspector.PATH,
          inspector.page(
              service.baseUrl(), new LocalUser(credentials.email(), credentials.password())));
      if (openApi.isPresent()) {
        pages.put(ApiDocs.PATH, new ApiDocs(openApi.get()));
      }
      service.open(pages);
      output.print(new Greeting(service, credentials).text());
      return service;
    } catch (IOException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static EmulatorOptions options(CommandLine.Run run) {
    EmulatorOptions options =
        new EmulatorOptions(
            run.template(),
            run.port(),
            run.data(),
            run.parameters(),
            run.endpoint().map(endpoint -> Elsewhere.kept(endpoint, PREFIX)));
    EmulatorOptions mapped = run.lambda().map(options::mappedBy).orElse(options);
    return run.isThrottled() ? mapped : mapped.unthrottled();
  }

  /** A stranger's template comes without the document. */
  private static Optional<Path> openApi(EmulatorOptions options) {
    return Optional.of(beside(options, "docs/openapi.yaml")).filter(Files::exists);
  }

  private static Path beside(EmulatorOptions options, String path) {
    return options.template().resolveSibling(path);
  }

  /** See <a href="https://no-color.org">no-color.org</a>. */
  private static boolean isColored(Map<String, String> environment) {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
        && environment.getOrDefault("NO_COLOR", "").isEmpty();
  }

  private static FirstUser firstUser(Emulator service, EmulatorOptions options) {
    DynamoUsers users =
        new DynamoUsers(
            service.dynamoDb(),
            variable(service, "USERS_TABLE"),
            variable(service, "PASSWORD_HASHES_TABLE"));
    CredentialsFile file =
        new CredentialsFile(options.data().map(data -> data.resolve("first-user.json")));
    return new FirstUser(users, Integer.parseInt(variable(service, "BCRYPT_COST")), file);
  }

  /** A variable of any function in the template. */
  private static String variable(Emulator service, String name) {
    return service.template().functions().stream()
        .flatMap(function -> Optional.ofNullable(function.environment().get(name)).stream())
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException("no function of the template has the variable " + name));
  }
}
