package dev.connectorevents.local;

import dev.connectorevents.aws.DynamoUsers;
import java.io.IOException;
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
      var service = LocalService.start(options, step -> System.out.println("  " + step));
      Runtime.getRuntime().addShutdownHook(new Thread(service::close));
      System.out.print(new Greeting(service, firstUser(service, options)));
    } catch (IOException | RuntimeException e) {
      System.err.println("local/serve: " + e.getMessage());
      System.exit(1);
    }
    new CountDownLatch(1).await();
  }

  private static FirstUser.Credentials firstUser(LocalService service, LocalOptions options)
      throws IOException {
    var users = new DynamoUsers(service.dynamoDb(), variable(service, "USERS_TABLE"));
    var file = new CredentialsFile(options.data().map(data -> data.resolve("first-user.json")));
    return new FirstUser(users, Integer.parseInt(variable(service, "BCRYPT_COST")), file)
        .ensure(System.getenv());
  }

  /** As the template gives it to a function: no name of the template is written here again. */
  private static String variable(LocalService service, String name) {
    return service.template().functions().stream()
        .flatMap(function -> Optional.ofNullable(function.environment().get(name)).stream())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the template gives no function a " + name));
  }
}
