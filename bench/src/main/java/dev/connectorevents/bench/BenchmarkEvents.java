package dev.connectorevents.bench;

import dev.connectorevents.emulator.template.FunctionDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The events that the bench sends to the functions: files of {@code events/}, with a token filled
 * in.
 *
 * @param token a connector's token
 * @param consumerToken a consumer's token
 */
record BenchmarkEvents(Path folder, String token, String consumerToken) {

  /** The e-mail address of the consumer in {@link AwsStub}. */
  static final String CONSUMER = "consumer@example.com";

  /**
   * The event for a function.
   *
   * @param name the function's name, from {@link Candidates#name}
   */
  String of(FunctionDefinition function, String name) throws IOException {
    return switch (name) {
      case "createevent" -> read("create-webhook-event.shopify");
      case "createbatch" -> read("create-webhook-event-batch");
      case "findmissing" -> read("find-missing-webhook-events");
      case "readevent" -> read("read-webhook-event", consumerToken);
      case "listevents" -> read("list-webhook-events", consumerToken);
      case "numberevents" -> read("number-events");
      case "manageusers" -> read("manage-users.show");
      case "findevents" -> read("find-events.brand");
      case "eraseevents" -> read("erase-events.ids"); // the first call erases nothing
      case "restoreevents" -> read("restore-events.fill");
      case "rotatesigningkey" -> {
        String secret = function.environment().getOrDefault("SIGNING_KEY_SECRET_ARN", "");
        // The step with the most work: it reads the key, and signs and checks a token.
        yield read("rotate-signing-key")
            .replace("createSecret", "testSecret")
            .replaceAll("arn:aws:secretsmanager:[^\"]*", secret);
      }
      default -> read(name);
    };
  }

  String consumerLogin() throws IOException {
    return read("login").replace("connector@example.com", CONSUMER);
  }

  private String read(String file) throws IOException {
    return read(file, token);
  }

  private String read(String file, String sender) throws IOException {
    return Files.readString(folder.resolve(file + ".json")).replace("ACCESS_TOKEN", sender);
  }
}
