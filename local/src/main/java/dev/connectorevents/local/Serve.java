package dev.connectorevents.local;

import com.sun.net.httpserver.HttpHandler;
import dev.connectorevents.dynamodb.DynamoUsers;
import dev.connectorevents.emulator.Emulator;
import dev.connectorevents.emulator.EmulatorOptions;
import dev.connectorevents.emulator.EmulatorOptions.Elsewhere;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command behind `local/serve`: runs the service until it is stopped. */
public final class Serve {
  /** Constant, so that functions under `sam local` find the tables and the secret. */
  static final String PREFIX = "connector-events-local-";

  private Serve() {}

  /** Exits with 2 when the command line is wrong, with 1 when the service does not start. */
  public static void main(String[] arguments) throws InterruptedException {
    run(options(CommandLine.runOrExit(arguments)));
  }

  private static void run(EmulatorOptions options) throws InterruptedException {
    try {
      Emulator service = start(options, System.getenv(), System.out);
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
   */
  static Emulator start(
      EmulatorOptions options, Map<String, String> environment, PrintStream output)
      throws IOException {
    Emulator service = Emulator.prepare(options, step -> output.println("  " + step));
    try {
      FirstUser.Credentials credentials = firstUser(service, options).ensure(environment);
      service.open(pages(options));
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
            run.endpoint().map(endpoint -> new Elsewhere(endpoint, PREFIX, false)));
    return run.isThrottled() ? options : options.unthrottled();
  }

  /** A stranger's template comes without the document. */
  private static Map<String, HttpHandler> pages(EmulatorOptions options) {
    Path document = options.template().resolveSibling(Path.of("docs", "openapi.yaml"));
    return Files.exists(document) ? Map.of(ApiDocs.PATH, new ApiDocs(document)) : Map.of();
  }

  private static FirstUser firstUser(Emulator service, EmulatorOptions options) {
    DynamoUsers users = new DynamoUsers(service.dynamoDb(), variable(service, "USERS_TABLE"));
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
