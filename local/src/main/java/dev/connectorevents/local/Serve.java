package dev.connectorevents.local;

import dev.connectorevents.dynamodb.DynamoUsers;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The command behind `local/serve`: runs the service until it is stopped. */
public final class Serve {
  private Serve() {}

  /** Exits with 2 when the command line is wrong, with 1 when the service does not start. */
  public static void main(String[] arguments) throws InterruptedException {
    run(CommandLine.optionsOrExit(arguments));
  }

  private static void run(LocalOptions options) throws InterruptedException {
    try {
      LocalService service = start(options, System.getenv(), System.out);
      Runtime.getRuntime().addShutdownHook(new Thread(service::close));
    } catch (IOException | RuntimeException e) {
      System.err.println("local/serve: " + e.getMessage());
      System.exit(1);
    }
    new CountDownLatch(1).await();
  }

  /**
   * Starts the service and greets the user. The API opens last: before there is a user to log in,
   * it would answer 401 to the right password.
   *
   * @param environment names the first user
   */
  static LocalService start(
      LocalOptions options, Map<String, String> environment, PrintStream output)
      throws IOException {
    LocalService service = LocalService.prepare(options, step -> output.println("  " + step));
    try {
      FirstUser.Credentials credentials = firstUser(service, options).ensure(environment);
      service.open();
      output.print(new Greeting(service, credentials));
      return service;
    } catch (IOException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  private static FirstUser firstUser(LocalService service, LocalOptions options) {
    var users = new DynamoUsers(service.dynamoDb(), variable(service, "USERS_TABLE"));
    var file = new CredentialsFile(options.data().map(data -> data.resolve("first-user.json")));
    return new FirstUser(users, Integer.parseInt(variable(service, "BCRYPT_COST")), file);
  }

  /** As the template gives it to a function: no name of the template is written here again. */
  private static String variable(LocalService service, String name) {
    return service.template().functions().stream()
        .flatMap(function -> Optional.ofNullable(function.environment().get(name)).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the template gives no function a " + name));
  }
}
